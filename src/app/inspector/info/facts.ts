import {
  isRewardOf,
  type ContextEdit,
  type Episode,
  type Gap,
  type GapSubject,
  type Metrics,
  type Outcome,
} from '../../../model';
import { counted, formatCount } from '../../words/format';

/** What the Info tab says of an episode, decided before it is drawn. */

export interface RewardParts {
  rows: readonly { name: string; value: number }[];
  sum: number;
  /** Whether the sum is the reward; undefined where there is no reward to compare with. */
  isReward: boolean | undefined;
}

export function rewardParts({ reward, components }: Outcome): RewardParts {
  const rows = Object.entries(components).map(([name, value]) => ({ name, value }));
  const sum = rows.reduce((total, { value }) => total + value, 0);
  return {
    rows,
    sum,
    isReward: reward === undefined ? undefined : isRewardOf(reward, Object.values(components), sum),
  };
}

export interface ToolUse {
  name: string;
  description?: string;
  parameters?: unknown;
  /** How often the policy called it. */
  calls: number;
  /** False for a tool that was called without being offered. */
  offered: boolean;
}

/** Those that were called first, each kind in the order of the offer; at the end those called without being offered. */
export function toolUse({ tools, messages }: Pick<Episode, 'tools' | 'messages'>): ToolUse[] {
  const calls = new Map<string, number>();
  for (const { parts, origin } of messages) {
    if (origin !== 'policy') continue;
    for (const part of parts) {
      if (part.kind === 'call') calls.set(part.call.name, (calls.get(part.call.name) ?? 0) + 1);
    }
  }
  const offered = tools.map((tool) => ({ ...tool, calls: calls.get(tool.name) ?? 0, offered: true }));
  const names = new Set(tools.map(({ name }) => name));
  const others = [...calls].filter(([name]) => !names.has(name)).sort(([, a], [, b]) => b - a);
  const used = offered.filter((tool) => tool.calls > 0);
  const unused = offered.filter((tool) => tool.calls === 0);
  return [...used, ...unused, ...others.map(([name, count]) => ({ name, calls: count, offered: false }))];
}

/** How many calls the policy made; what stood in the request is not its doing. */
export function callCount({ messages }: Pick<Episode, 'messages'>): number {
  let count = 0;
  for (const { parts, origin } of messages) {
    if (origin === 'policy') for (const part of parts) if (part.kind === 'call') count += 1;
  }
  return count;
}

/** `message 7 deleted message 4`, `compacted messages 2, 3 and 5 more into message 14`. */
export function editText({ kind, msgIds, by, summary }: ContextEdit): string {
  const done = kind === 'delete' ? 'deleted' : 'compacted';
  const into = summary === undefined ? '' : ` into message ${summary}`;
  const text = `${done} ${messageList(msgIds)}${into}`;
  return by === undefined ? text : `message ${by} ${text}`;
}

/** `message 4`, `messages 8 and 9`, `messages 1, 2, 3 and 40 more`. */
export function messageList(msgIds: readonly number[]): string {
  const [first, ...others] = msgIds;
  if (first === undefined) return 'no message';
  if (others.length === 0) return `message ${first}`;
  if (msgIds.length <= 4) return `messages ${msgIds.slice(0, -1).join(', ')} and ${msgIds.at(-1)}`;
  return `messages ${msgIds.slice(0, 3).join(', ')} and ${formatCount(msgIds.length - 3)} more`;
}

/** `1,884 tokens freed`, where the source says. */
export function freedText({ tokensBefore, tokensAfter }: ContextEdit): string | undefined {
  if (tokensBefore === undefined || tokensAfter === undefined) return undefined;
  const freed = tokensBefore - tokensAfter;
  return freed >= 0 ? `${counted(freed, 'token')} freed` : `${counted(-freed, 'token')} more`;
}

export const gapNames: Record<GapSubject, string> = {
  messages: 'Messages',
  results: 'Tool results',
  reasoning: 'Reasoning',
  reward: 'Reward',
  tokens: 'Tokens and masks',
  views: 'What the model saw',
  state: 'Session state',
  timing: 'Times',
};

/** Gaps of one subject stand together, those of the whole episode first. */
export function gapsBySubject(gaps: readonly Gap[]): { about: GapSubject; gaps: readonly Gap[] }[] {
  const groups = new Map<GapSubject, Gap[]>();
  for (const gap of gaps) {
    const found = groups.get(gap.about);
    if (found === undefined) groups.set(gap.about, [gap]);
    else found.push(gap);
  }
  return [...groups].map(([about, found]) => ({
    about,
    gaps: found.toSorted((a, b) => Number(hasPlace(a)) - Number(hasPlace(b))),
  }));
}

const hasPlace = ({ step, msgId }: Gap) => step !== undefined || msgId !== undefined;

/** The metrics whose name or text has what is looked for, in the order of the source. */
export function metricsNamed(metrics: Metrics, find: string): [name: string, value: Metrics[string]][] {
  const wanted = find.trim().toLowerCase();
  return Object.entries(metrics).filter(
    ([name, value]) =>
      name.toLowerCase().includes(wanted) ||
      (typeof value === 'string' && value.toLowerCase().includes(wanted)),
  );
}

/** A tool's schema as it would be written by hand. */
export function parametersText(parameters: unknown): string {
  try {
    return (JSON.stringify(parameters, undefined, 2) ?? '').slice(0, 20_000);
  } catch {
    // Nested deeper than the browser can write.
    return 'Too deeply nested to be shown here: see Raw.';
  }
}
