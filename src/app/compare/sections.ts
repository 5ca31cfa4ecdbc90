import {
  answersIn,
  broughtBy,
  messageText,
  partText,
  stateAt,
  toolCallsOf,
  type Episode,
  type StepRow,
  type ToolCall,
} from '../../model';

/** One thing that both episodes have in a row, or one of them: its text on either side. */
export interface Section {
  /** `said`, `call`, `result`, `state` */
  what: 'said' | 'call' | 'result' | 'state';
  /** The tool it is about. */
  tool?: string;
  a: string | undefined;
  b: string | undefined;
  same: boolean;
}

/** What stands in a row of the comparison, in the order it happened. */
export function sectionsOf(a: Episode, b: Episode, row: StepRow): Section[] {
  const left = row.kind === 'b' ? undefined : sideOf(a, row.a);
  const right = row.kind === 'a' ? undefined : sideOf(b, row.b);
  const sections: Section[] = [];
  const add = (what: Section['what'], one: string | undefined, other: string | undefined, tool?: string) => {
    if ((one ?? '') === '' && (other ?? '') === '') return;
    sections.push({ what, a: one, b: other, same: one === other, ...(tool === undefined ? {} : { tool }) });
  };
  add('said', left?.said, right?.said);
  const calls = Math.max(left?.calls.length ?? 0, right?.calls.length ?? 0);
  for (let index = 0; index < calls; index++) {
    const one = left?.calls[index];
    const other = right?.calls[index];
    const tool = one?.name ?? other?.name;
    add('call', one?.text, other?.text, tool);
    add('result', one?.result, other?.result, tool);
  }
  add('result', left?.answered, right?.answered);
  if (left?.state !== undefined || right?.state !== undefined) add('state', left?.state, right?.state);
  return sections;
}

interface Side {
  said: string;
  calls: { name: string; text: string; result: string | undefined }[];
  /** What the environment said beside results. */
  answered: string;
  state: string | undefined;
}

function sideOf(episode: Episode, step: number): Side {
  const { emitted, answered } = broughtBy(episode, step);
  const said = emitted.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'call' ? [] : [partText(part)])),
  );
  const state = stateAt(episode, step);
  return {
    said: said.join('\n'),
    calls: emitted.flatMap(toolCallsOf).map((call) => ({
      name: call.name,
      text: `${call.name}(${written(call.arguments)})`,
      result: resultOf(episode, call),
    })),
    answered: answered
      .filter(({ toolResultFor }) => (toolResultFor ?? []).length === 0)
      .map(messageText)
      .join('\n'),
    state: state === undefined ? undefined : written(JSON.stringify(state.value) ?? ''),
  };
}

function resultOf(episode: Episode, call: ToolCall): string | undefined {
  const results = answersIn(episode).resultsOf.get(call);
  return results === undefined ? undefined : written(results.map(messageText).join('\n'));
}

/** JSON on lines of its own is compared line by line; the order of keys and the blanks do not matter. */
function written(text: string): string {
  if (text.length > 100_000) return text;
  try {
    return JSON.stringify(sorted(JSON.parse(text)), null, 2);
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
