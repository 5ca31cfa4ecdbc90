import { createHash, createHmac } from 'node:crypto';
import { assert, property, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import { hmacSha256, randomUuid, sha256 } from './crypto';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

it('hashes as SHA-256 does', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), (data) => {
      expect(hex(sha256(data))).toBe(createHash('sha256').update(data).digest('hex'));
    }),
  );
});

it('signs as HMAC-SHA256 does', () => {
  assert(
    property(uint8Array({ maxLength: 150 }), uint8Array({ maxLength: 150 }), (key, data) => {
      expect(hex(hmacSha256(key, data))).toBe(createHmac('sha256', key).update(data).digest('hex'));
    }),
  );
});

it('makes ids of version 4', () => {
  expect(randomUuid()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(randomUuid()).not.toBe(randomUuid());
});
