import { array, assert, jsonValue, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLine, printable } from './io';

test('no text of a rollout can steer the terminal', () => {
  assert(
    property(array(nat(0x2100)), (codes) => {
      const text = String.fromCharCode(...codes);
      expect(printable(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

test('ordinary text stays as it is', () => {
  const text = 'naïve 漢字 🎲\n\tindented\n';
  expect(printable(text)).toBe(text);
  expect(printable('one\r\ntwo')).toBe('one\ntwo');
  expect(printable('\u001b[31mred')).toBe('␛[31mred');
});

test('a line of JSON can not steer the terminal either, and reads back as what was written', () => {
  assert(
    property(array(nat(0x2100)), jsonValue(), (codes, more) => {
      const text = String.fromCharCode(...codes);
      const line = jsonLine({ [text]: text, more });
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(line).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify({ [text]: text, more })));
    }),
  );
  expect(jsonLine('\u009b\u202e\u007fü')).toBe('"\\u009b\\u202e\\u007fü"\n');
});
