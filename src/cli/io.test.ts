import { array, assert, nat, property } from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from './io';

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
