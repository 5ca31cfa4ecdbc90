import { formatCount, formatNumber } from '../../words/format';
import { glyphsOf } from './rows';
import { fateAt, type Fate, type Track } from './track';

/** How a screen reader and the status line call a token. */
export const fateNames: Record<Fate, string> = {
  prompt: 'prompt, masked',
  masked: 'masked',
  trained: 'trained',
  dropped: 'dropped',
};

/** What is known of one token: `token 40 · response 3 · id 271 · “ the” · trained · logprob −0.12`. */
export function tokenFacts(track: Track, position: number): string[] {
  const { promptLength, length, turns } = track;
  if (position < 0 || position >= length) return [];
  const inResponse = position >= promptLength;
  const turn = turns.find(({ start, end }) => start <= position && position < end);
  const id = track.idAt(position);
  return [
    `token ${formatCount(position)}`,
    inResponse ? `response ${formatCount(position - promptLength)}` : 'prompt',
    ...(turn === undefined ? [] : [`step ${turn.step}`]),
    id < 0 ? 'id not recorded' : `id ${id}`,
    ...(track.textAt(position) === undefined ? [] : [`“${glyphsOf(track, position).slice(0, 60)}”`]),
    ...(inResponse ? [fateNames[fateAt(track, position)]] : ['masked']),
    ...(inResponse ? valueFacts(track, position - promptLength) : []),
  ];
}

function valueFacts({ values }: Track, position: number): string[] {
  return Array.from(values).flatMap(([name, numbers]) => {
    const value = numbers[position];
    return value === undefined || Number.isNaN(value) ? [] : [`${name} ${formatNumber(value)}`];
  });
}

/** The text of some tokens as it stood, ids where there is no text. */
export function textOf(track: Track, start: number, end: number): string {
  let text = '';
  for (let position = start; position < end; position++) {
    text += track.textAt(position) ?? `${track.idAt(position)} `;
  }
  return text;
}
