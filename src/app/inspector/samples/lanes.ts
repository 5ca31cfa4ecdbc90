import { coveredBy, sizesOf, type Episode, type Sample } from '../../../model';
import { turnsOf, type Turn } from './turns';

/** `told`: the sample is there for these steps, and the source does not say which tokens it trains. */
export type PieceState = 'trained' | 'partly' | 'dropped' | 'masked' | 'told';

/** Some steps of a lane that are drawn alike; half-open. */
export interface Piece {
  state: PieceState;
  from: number;
  to: number;
}

export interface Totals {
  prompt: number;
  /** Tokens of the response under a 1. */
  trained: number;
  /** Tokens of the response under a 0, apart from those dropped. */
  masked: number;
  /** Emitted for this sample and not trained by it, or a 1 of the mask without a token. */
  dropped: number;
  /** Length of the mask. */
  mask: number;
  response: number;
}

/** One sample over the step axis. */
export interface Lane {
  sample: Sample;
  pieces: Piece[];
  turns: Turn[];
  /** Undefined where the source gives neither tokens nor sizes. */
  totals: Totals | undefined;
}

export function laneOf(episode: Episode, sample: Sample): Lane {
  const turns = turnsOf(episode, sample);
  return { sample, turns, pieces: piecesOf(sample, turns), totals: totalsOf(sample, turns) };
}

function piecesOf({ firstStep, lastStep }: Sample, turns: readonly Turn[]): Piece[] {
  const pieces: Piece[] = [];
  // What came before stands in its context, masked.
  if (firstStep > 0) add(pieces, 'masked', 0, firstStep);
  if (turns.length === 0) {
    if (lastStep >= firstStep) add(pieces, 'told', firstStep, lastStep + 1);
    return pieces;
  }
  for (const turn of turns) add(pieces, stateOf(turn), turn.step, turn.step + 1);
  return pieces;
}

function stateOf({ length, trained }: Turn): PieceState {
  if (length === 0) return 'masked';
  if (trained === length) return 'trained';
  return trained === 0 ? 'dropped' : 'partly';
}

/** Neighbours that are drawn alike are one: a thousand steps are a few pieces. */
function add(pieces: Piece[], state: PieceState, from: number, to: number): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.state === state && last.to === from) last.to = to;
  else pieces.push({ state, from, to });
}

function totalsOf(sample: Sample, turns: readonly Turn[]): Totals | undefined {
  const sizes = sizesOf(sample);
  if (sizes === undefined) return undefined;
  const { prompt, response, mask, trained } = sizes;
  const untrained = turns.reduce((sum, turn) => sum + turn.dropped, 0);
  const ones = sample.tokens === undefined ? trained : coveredBy(sample.tokens.trained, Infinity);
  const dropped = turns.length > 0 ? untrained : ones - trained;
  const lost = turns.reduce((sum, { span, length }) => sum + length - inside(span, response), 0);
  return {
    prompt,
    response,
    mask,
    trained,
    dropped,
    masked: Math.max(response - trained - (turns.length > 0 ? dropped - lost : 0), 0),
  };
}

function inside([start, end]: readonly [number, number], length: number): number {
  return Math.max(Math.min(end, length) - Math.max(start, 0), 0);
}

/** Where a piece stands in a lane, in percent of its width. No piece is too narrow to be seen. */
export function boundsOf({ from, to }: Pick<Piece, 'from' | 'to'>, steps: number) {
  const all = Math.max(steps, 1);
  const width = Math.max(((to - from) / all) * 100, 0.5);
  return { left: Math.min((from / all) * 100, 100 - width), width };
}

/** The step under a point of the lane, `0` its left and `1` its right end. */
export function stepUnder(fraction: number, steps: number): number {
  return Math.min(Math.max(Math.floor(fraction * steps), 0), Math.max(steps - 1, 0));
}
