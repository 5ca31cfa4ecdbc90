import { at, isObject, stringAt } from '../../model';
import { jsonText } from '../bounded';
import { isByModel, type Entry } from './items';

/** An item and what makes it the same as another. */
export interface Keyed {
  entry: Entry;
  key: string;
}

/** A place of a new context, compared with the old one. */
export type Slot<Old extends Keyed> =
  | { kept: Old }
  | { replaced: Old; by: Keyed }
  /** `isInserted`: before something that was there already. */
  | { added: Keyed; isInserted: boolean };

export interface Alignment<Old extends Keyed> {
  slots: Slot<Old>[];
  removed: Old[];
  /** How many items both have. */
  shared: number;
}

/**
 * Walks two contexts side by side. What differs between two shared items, or behind the last one, is a change:
 * `[a, b, c]` to `[a, x, c, d]` keeps `a` and `c`, puts `x` for `b` and adds `d`. Linear in both.
 */
export function align<Old extends Keyed>(before: readonly Old[], after: readonly Keyed[]): Alignment<Old> {
  const lastAfter = new Map(after.map(({ key }, position) => [key, position]));
  const result: Alignment<Old> = { slots: [], removed: [], shared: 0 };
  let gone: Old[] = [];
  let come: Keyed[] = [];
  let from = 0;
  let to = 0;
  while (to < after.length) {
    const old = before[from];
    const now = after[to];
    if (now === undefined) break;
    if (old !== undefined && old.key === now.key) {
      settle(come.length, true);
      result.slots.push({ kept: old });
      result.shared++;
      from++;
      to++;
    } else if (old !== undefined && (lastAfter.get(old.key) ?? -1) < to) {
      gone.push(old);
      from++;
    } else {
      come.push(now);
      to++;
    }
  }
  for (; from < before.length; from++) {
    const old = before[from];
    if (old !== undefined) gone.push(old);
  }
  // At the end a new model call starts what is added; what comes before the call stands for what has gone.
  const call = come.findIndex(({ entry }) => entry.origin === 'policy');
  settle(call === -1 ? come.length : call, false);
  return result;

  /** Of the items that have come, the first `count` can stand for one that has gone. */
  function settle(count: number, isInside: boolean): void {
    const take = pairing(gone);
    const taken = new Set<Old>();
    come.forEach((by, position) => {
      const replaced = position < count ? take(by) : undefined;
      if (replaced === undefined) result.slots.push({ added: by, isInserted: isInside });
      else {
        taken.add(replaced);
        result.slots.push({ replaced, by });
      }
    });
    for (const old of gone) if (!taken.has(old)) result.removed.push(old);
    gone = [];
    come = [];
  }
}

/**
 * Finds the one that has gone for each that has come: of the same speaker, else any that is not the model's, and always
 * behind the one found before, because what stands in a place keeps its order.
 */
function pairing<Old extends Keyed>(gone: readonly Old[]): (by: Keyed) => Old | undefined {
  const notByModel: number[] = [];
  const bySpeaker = new Map<string, number[]>();
  // From the end, so that `pop` gives the first.
  for (let place = gone.length - 1; place >= 0; place--) {
    const old = gone[place];
    if (old === undefined) continue;
    if (!isByModel(old.entry)) notByModel.push(place);
    const places = bySpeaker.get(speakerOf(old));
    if (places === undefined) bySpeaker.set(speakerOf(old), [place]);
    else places.push(place);
  }

  let last = -1;
  const next = (places: number[] | undefined): Old | undefined => {
    while ((places?.at(-1) ?? Infinity) <= last) places?.pop();
    const place = places?.pop();
    if (place === undefined) return undefined;
    last = place;
    return gone[place];
  };
  return (by) => next(bySpeaker.get(speakerOf(by))) ?? (isByModel(by.entry) ? undefined : next(notByModel));
}

function speakerOf({ entry }: Keyed): string {
  return isByModel(entry) ? entry.kind : (stringAt(entry.item, 'role') ?? 'tool');
}

/** What makes two items the same. Ids, states and token ids may be written anew in every snapshot. */
export function keyOf(item: unknown): string {
  if (!isObject(item)) return jsonText(item);
  const meant = ['role', 'content', 'name', 'arguments', 'input', 'call_id', 'output', 'summary'].map((key) =>
    at(item, key),
  );
  return jsonText([stringAt(item, 'type') ?? 'message', meant, at(item, 'encrypted_content')]);
}
