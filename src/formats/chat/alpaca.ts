import { arrayAt, stringAt } from '../../model';
import { jsonText } from '../bounded';
import { splitThoughts } from '../think';
import { conversationFormat } from './conversation';
import type { Turn } from './turns';

/**
 * Alpaca's instructions: one question and one answer, and sometimes what was said before.
 *
 *     { instruction: 'Add.', input: '1 and 1', output: '2', system?: '…', history?: [['Hello.', 'Hi.']] }
 */
export const alpaca = conversationFormat(
  {
    id: 'alpaca',
    name: 'Alpaca',
    confidence: (value) =>
      stringAt(value, 'instruction') !== undefined &&
      (stringAt(value, 'output') !== undefined || stringAt(value, 'response') !== undefined)
        ? 0.5
        : 0,
  },
  (value) => {
    const answerKey = stringAt(value, 'output') === undefined ? 'response' : 'output';
    const system = stringAt(value, 'system') ?? '';
    const question = [stringAt(value, 'instruction') ?? '', stringAt(value, 'input') ?? ''];
    return {
      turns: [
        ...(system === '' ? [] : [said('system', system, '/system')]),
        ...(arrayAt(value, 'history') ?? []).flatMap((round, index) => roundOf(round, `/history/${index}`)),
        said('user', question.filter((text) => text !== '').join('\n'), '/instruction'),
        said('assistant', stringAt(value, answerKey) ?? '', `/${answerKey}`),
      ],
      spent: ['instruction', 'input', 'output', 'response', 'system'],
    };
  },
);

function roundOf(round: unknown, raw: string): Turn[] {
  if (!Array.isArray(round)) return [];
  const [question, answer] = round.map((text: unknown) => (typeof text === 'string' ? text : jsonText(text)));
  return [
    ...(question === undefined ? [] : [said('user', question, `${raw}/0`)]),
    ...(answer === undefined ? [] : [said('assistant', answer, `${raw}/1`)]),
  ];
}

function said(role: 'system' | 'user' | 'assistant', text: string, raw: string): Turn {
  return { role, parts: role === 'assistant' ? splitThoughts(text) : [{ kind: 'text', text }], raw };
}
