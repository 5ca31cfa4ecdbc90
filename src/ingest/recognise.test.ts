import { expect, it } from 'vitest';
import { formats } from '../formats';
import { Recogniser } from './recognise';

it('the tables that summaries are read with are made once, however many texts an archive has', () => {
  const value = { responses_create_params: { input: [] }, response: { output: [] }, reward: 1 };
  const [one, other] = [0, 1].map((index) => {
    const recogniser = new Recogniser(formats);
    recogniser.add(
      { value, text: JSON.stringify(value), index, line: 1 },
      { byteStart: 0, byteEnd: 9, line: 1 },
    );
    recogniser.end();
    return recogniser;
  });
  expect(one?.shorter?.picks).toBeTypeOf('object');
  expect(one?.shorter?.picks).toBe(other?.shorter?.picks);
  expect(one?.picks).toBeTypeOf('object');
  expect(one?.picks).toBe(other?.picks);
});
