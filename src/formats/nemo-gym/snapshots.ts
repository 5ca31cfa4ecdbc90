import { at, startsStep } from '../../model';
import { align, keyOf, type Keyed } from './align';
import { plainText } from '../content';
import { isByModel, outputEntry, type Entry } from './items';

/** The history a list of snapshots tells, and the edits of the context between them. */
export interface Unrolled {
  entries: Entry[];
  edits: EntryEdit[];
  transitions: number;
  troubles: ReadonlySet<Trouble>;
}

/** An edit of the context, by the items it took away. */
export interface EntryEdit {
  step: number;
  kind: 'delete' | 'compact';
  raws: string[];
  /** What stands in the place of each. */
  stub?: string;
  /** The item that stands for all of them. */
  summary?: string;
  tokensBefore?: number;
  tokensAfter?: number;
}

/** Where the views that follow from the history are not what the snapshots say. */
export type Trouble =
  | 'unrelated snapshot'
  | 'part of a turn gone'
  | 'turn rewritten'
  | 'item inserted'
  | 'stub rewritten'
  | 'edit before the first call'
  | 'first state collapsed';

/** An item of the current context. */
interface Seen extends Keyed {
  isStub: boolean;
  turn: Turn;
}

/** The items a model wrote in one go. They become one message or a few, which are in the view or not as a whole. */
interface Turn {
  raws: string[];
  gone: number;
}

/**
 * Some agents (aviary, cube) write `output` as a list of lists: after every model call a snapshot of the whole context
 * as the next call will see it.
 *
 *     [[state 0, call 1, result 1],
 *      [state 0, call 1, result 1, call 2, result 2]]
 *
 * Usually a snapshot only adds to the one before it. With `collapse_old_env_states` it also puts a placeholder where an
 * old state stood, and with `render_last_n_obs` it leaves old turns out. The full history is what the snapshots add,
 * one after another; what they take away are edits. `given` is the request, which the snapshots usually start with.
 */
export function unroll(given: readonly Entry[], output: readonly unknown[], base: string): Unrolled {
  const entries: Entry[] = [];
  const edits: EntryEdit[] = [];
  const troubles = new Set<Trouble>();
  const stubs = new Set<string>();
  let transitions = 0;
  let steps = 0;
  let last: Seen | undefined;
  let view = given.map(see);

  output.forEach((element: unknown, position) => {
    const raw = `${base}/${position}`;
    if (Array.isArray(element)) readSnapshot(element.map((item, at) => keyed(item, `${raw}/${at}`)));
    else view.push(append(outputEntry(element, raw)));
  });
  for (const entry of entries) {
    if (entry.origin === 'policy') break;
    if (stubs.has(textOf(entry))) troubles.add('first state collapsed');
  }
  return { entries, edits, transitions, troubles };

  function readSnapshot(snapshot: readonly Keyed[]): void {
    transitions++;
    const { slots, removed, shared } = align(view, snapshot);
    if (view.length > 0 && shared === 0) {
      // The first one may leave the request out; a later one has nothing to do with what was before.
      if (transitions > 1) troubles.add('unrelated snapshot');
      markCall(snapshot);
      for (const { entry } of snapshot) view.push(append(entry));
      return;
    }

    markCall(slots.flatMap((slot) => ('added' in slot && !slot.isInserted ? [slot.added] : [])));
    const collapsed = new Map<string, string[]>();
    view = slots.map((slot): Seen => {
      if ('kept' in slot) return slot.kept;
      if ('added' in slot) return slot.isInserted ? insert(slot.added) : append(slot.added.entry);
      const { replaced, by } = slot;
      if (isByModel(replaced.entry)) {
        troubles.add('turn rewritten');
        return { ...replaced, key: by.key };
      }
      if (replaced.isStub) troubles.add('stub rewritten');
      else {
        const text = textOf(by.entry);
        const raws = collapsed.get(text);
        if (raws === undefined) collapsed.set(text, [replaced.entry.raw]);
        else raws.push(replaced.entry.raw);
      }
      return { ...replaced, key: by.key, isStub: true };
    });

    for (const { turn } of removed) turn.gone++;
    const turns = [...new Set(removed.map(({ turn }) => turn))];
    const gone = turns.filter(({ raws, gone }) => gone === raws.length);
    if (gone.length < turns.length) troubles.add('part of a turn gone');
    for (const [stub, raws] of collapsed) {
      stubs.add(stub);
      edit({ step: steps - 1, kind: 'delete', raws, stub });
    }
    if (gone.length > 0) edit({ step: steps - 1, kind: 'compact', raws: gone.flatMap(({ raws }) => raws) });
  }

  function see(entry: Entry): Seen {
    const isSameTurn =
      last !== undefined &&
      last.entry.origin === entry.origin &&
      entry.startsStep === undefined &&
      isByModel(entry) &&
      isByModel(last.entry);
    const turn = last !== undefined && isSameTurn ? last.turn : { raws: [], gone: 0 };
    turn.raws.push(entry.raw);
    last = { entry, key: keyOf(entry.item), isStub: false, turn };
    return last;
  }

  function append(entry: Entry): Seen {
    if (startsStep(entry, entries.at(-1)?.origin, steps)) steps++;
    entries.push(entry);
    return see(entry);
  }

  /** No model call wrote it there, whoever's words it holds. */
  function insert({ entry }: Keyed): Seen {
    troubles.add('item inserted');
    return append({ ...entry, origin: 'environment' });
  }

  function edit(made: EntryEdit): void {
    if (made.step < 0) troubles.add('edit before the first call');
    else edits.push(made);
  }
}

function keyed(item: unknown, raw: string): Keyed {
  return { entry: outputEntry(item, raw), key: keyOf(item) };
}

/** A snapshot is written after each model call: what it adds begins with that call. */
function markCall(added: readonly Keyed[]): void {
  const first = added.find(({ entry }) => entry.origin === 'policy');
  if (first !== undefined) first.entry.startsStep = true;
}

function textOf({ item }: Entry): string {
  return plainText(at(item, 'content') ?? at(item, 'output'));
}
