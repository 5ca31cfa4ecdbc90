import { at, sameText, sameValue } from '../model';
import { objectFrom } from './json';

/** Ids that a StateLM loop adds to a result when it renders it. */
const renderedIds = new Set(['msg_id', 'msg_id(invoking_assistant)']);
const cut = '...(truncated)...';

/**
 * Whether a result came out again. As JSON where both are; a recorded result that the loop has cut, or put its ids into,
 * is held against what is left of it.
 */
export function sameResult(recorded: string, replayed: string): boolean {
  if (sameText(recorded, replayed)) return true;
  const own = objectFrom(recorded);
  const again = objectFrom(replayed);
  if (own !== undefined && again !== undefined) {
    const bare = Object.entries(own).filter(([key]) => !renderedIds.has(key) || at(again, key) !== undefined);
    return sameValue(Object.fromEntries(bare), again);
  }
  return isCut(recorded, replayed);
}

function isCut(recorded: string, whole: string): boolean {
  if (recorded.length - cut.length >= whole.length) return false;
  const middle = recorded.indexOf(cut);
  if (middle >= 0) {
    return whole.startsWith(recorded.slice(0, middle)) && whole.endsWith(recorded.slice(middle + cut.length));
  }
  if (recorded.endsWith('...(truncated)'))
    return whole.startsWith(recorded.slice(0, -'...(truncated)'.length));
  return recorded.startsWith('(truncated)...') && whole.endsWith(recorded.slice('(truncated)...'.length));
}
