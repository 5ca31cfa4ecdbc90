import type { Episode, Message } from '../episode';
import { historyOf } from '../history';

export type Severity = 'error' | 'warning' | 'info';

/** What lint reports, with its place. */
export interface Finding {
  rule: string;
  severity: Severity;
  /** One line, with the particulars: `call_7 (readChunk) was never answered`. */
  message: string;
  /** What it means and what to do about it; the same for every finding of a rule. */
  explanation: string;
  step?: number;
  msgId?: number;
  /** The recorded training sample it is about, by its index. */
  sample?: number;
  /** Token range within the sample, prompt first; where no sample is named, within the step's prompt and emission. */
  tokens?: [start: number, end: number];
}

/** A rule looks at one thing. `check` gives the particulars; id, severity and explanation come from the rule. */
export interface Rule {
  id: string;
  severity: Severity;
  explanation: string;
  check(episode: Episode): Place[];
}

export type Place = Pick<Finding, 'message' | 'step' | 'msgId' | 'sample' | 'tokens'> & {
  severity?: Severity;
};

/** The place of a message. The prompt belongs to no step. */
export function placeOf(message: Message): Pick<Place, 'step' | 'msgId'> {
  return { ...(message.bornAtStep < 0 ? {} : { step: message.bornAtStep }), msgId: message.msgId };
}

/**
 * The step at which a finding is to be seen: its own, that of its message, the first for what stood there before, and for
 * what is about the whole episode the last, where it is judged. Undefined where there is no such step.
 */
export function stepOfFinding(
  episode: Episode,
  { step, msgId }: Pick<Finding, 'step' | 'msgId'>,
): number | undefined {
  const last = episode.steps.length - 1;
  const born = msgId === undefined ? last : historyOf(episode).byId.get(msgId)?.bornAtStep;
  const place = step ?? (born === undefined ? undefined : Math.max(born, 0));
  return place !== undefined && place >= 0 && place <= last ? place : undefined;
}
