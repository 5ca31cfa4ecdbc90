/** What every store has to do, as tests. `storeConformance('memory', ...)` in a test file runs them all. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, type Json } from '../json';
import type { Clock, Store } from './store';

export interface StoreUnderTest {
  /** Another instance over the same data, as after a restart or in a second process; absent where data does not outlive the instance. */
  readonly reopen?: () => Promise<Store>;
  readonly store: Store;
}

function increment(value: Json | undefined): Json {
  return Number(value ?? 0) + 1;
}

function refuse(): Json {
  throw new Error('refused');
}

export function storeConformance(name: string, make: (clock: Clock) => Promise<StoreUnderTest>): void {
  describe(`store: ${name}`, () => {
    let now = 1_000_000;
    const opened: Store[] = [];
    const open = async (): Promise<StoreUnderTest & { reopen?: () => Promise<Store> }> => {
      const under = await make(() => now);
      opened.push(under.store);
      const { reopen } = under;
      if (reopen === undefined) return under;
      return {
        store: under.store,
        reopen: async () => {
          const again = await reopen();
          opened.push(again);
          return again;
        },
      };
    };
    afterEach(async () => {
      now = 1_000_000;
      await Promise.all(opened.splice(0).map((store) => store.close()));
    });

    it('gives back what was set, with a version that counts the writes', async () => {
      const { store } = await open();
      expect(await store.get('a')).toBeUndefined();
      expect(await store.set('a', { n: 1 })).toMatchObject({ value: { n: 1 }, version: 1 });
      expect(await store.set('a', { n: 2 })).toMatchObject({ version: 2 });
      expect(await store.get('a')).toMatchObject({ value: { n: 2 }, version: 2 });
    });

    it('keeps any JSON value as it is', async () => {
      const { store } = await open();
      // -0 is left out: JSON itself does not keep it.
      const values = fc
        .jsonValue({ depthSize: 'medium' })
        .filter((value) => !JSON.stringify(value).includes('-0'));
      await fc.assert(
        fc.asyncProperty(values, async (generated) => {
          // What fast-check calls a JSON value is one of ours once it has been through JSON.
          const value = parse(JSON.stringify(generated));
          await store.set('any', value);
          expect((await store.get('any'))?.value).toEqual(value);
        }),
        { numRuns: 40 },
      );
    });

    it('keeps prototype keys, odd text and large values, and takes no harm from them', async () => {
      const { store } = await open();
      const odd = parse(
        '{"__proto__": {"admin": true}, "constructor": 1, "toString": null, "": "empty key"}',
      );
      const value: Json = { odd, text: 'é 中文 \u0000 \uD800 <script>', large: 'x'.repeat(2_000_000) };
      await store.set('odd', value);
      const back = (await store.get('odd'))?.value;
      expect(JSON.stringify(back)).toBe(JSON.stringify(value));
      expect(Object.prototype).not.toHaveProperty('admin');
    });

    it('takes any id', async () => {
      const { store } = await open();
      const ids = ['__proto__', 'constructor', 'a/b', 'a%2Fb', 'a b?c#d', 'é中', '..', '*', 'a:b', '{x}'];
      for (const id of ids) await store.set(id, id);
      for (const id of ids) expect((await store.get(id))?.value).toBe(id);
      expect((await store.list()).map((entry) => entry.id)).toEqual([...ids].sort());
    });

    it('updates atomically: no increment of many at once is lost', async () => {
      const { store, reopen } = await open();
      const rival = reopen === undefined ? store : await reopen();
      await Promise.all(
        Array.from({ length: 60 }, (_, turn) =>
          (turn % 2 === 0 ? store : rival).update('counter', increment),
        ),
      );
      expect(await store.get('counter')).toMatchObject({ value: 60, version: 60 });
    });

    it('shows an update the value before it, and missing as undefined', async () => {
      const { store } = await open();
      const seen: (Json | undefined)[] = [];
      const record = (value: Json | undefined): Json => {
        seen.push(value);
        return 'next';
      };
      expect(await store.update('a', record)).toMatchObject({ value: 'next', version: 1 });
      await store.update('a', record);
      expect(seen).toEqual([undefined, 'next']);
    });

    it('leaves the entry as it is where an update throws or says nothing', async () => {
      const { store } = await open();
      await store.set('a', 1);
      await expect(store.update('a', refuse)).rejects.toThrow('refused');
      await expect(store.update('missing', refuse)).rejects.toThrow('refused');
      expect(await store.update('a', () => undefined)).toMatchObject({ value: 1, version: 1 });
      expect(await store.update('missing', () => undefined)).toBeUndefined();
      expect(await store.get('a')).toMatchObject({ value: 1, version: 1 });
      expect(await store.list()).toHaveLength(1);
      // And it still works afterwards.
      expect(await store.update('a', () => 2)).toMatchObject({ value: 2, version: 2 });
    });

    it('isolates ids from each other', async () => {
      const { store } = await open();
      await Promise.all(
        Array.from({ length: 40 }, async (_, user) => {
          for (let turn = 0; turn < 3; turn++) {
            await store.update(`user-${user}`, (value) => [
              ...(Array.isArray(value) ? value : []),
              `${user}:${turn}`,
            ]);
          }
        }),
      );
      for (let user = 0; user < 40; user++) {
        expect((await store.get(`user-${user}`))?.value).toEqual([`${user}:0`, `${user}:1`, `${user}:2`]);
      }
    });

    it('lists and counts by prefix, with times', async () => {
      const { store } = await open();
      await store.set('b/1', 1);
      now += 5;
      await store.set('a/2', 1);
      await store.set('a/1', 1);
      now += 5;
      await store.touch('a/1');
      expect(await store.list('a/')).toEqual([
        { id: 'a/1', version: 1, createdAt: 1_000_005, touchedAt: 1_000_010 },
        { id: 'a/2', version: 1, createdAt: 1_000_005, touchedAt: 1_000_005 },
      ]);
      expect(await store.count('a/')).toBe(2);
      expect(await store.count()).toBe(3);
    });

    it('deletes, and starts anew after that', async () => {
      const { store } = await open();
      await store.set('a', 1);
      expect(await store.delete('a')).toBe(true);
      expect(await store.delete('a')).toBe(false);
      expect(await store.get('a')).toBeUndefined();
      expect(await store.list()).toEqual([]);
      expect(await store.update('a', (value) => value ?? 'new')).toMatchObject({ value: 'new', version: 1 });
      expect(await store.list()).toHaveLength(1);
    });

    it('expires what was idle, and only that', async () => {
      const { store } = await open();
      for (const id of ['s/idle', 's/touched', 's/written', 's/busy', 'other']) await store.set(id, id);
      now += 1000;
      expect(await store.touch('s/touched')).toBe(true);
      expect(await store.touch('s/none')).toBe(false);
      await store.update('s/written', () => 'again');
      const gone = await store.expire({ before: now - 500, prefix: 's/', except: new Set(['s/busy']) });
      expect(gone).toEqual(['s/idle']);
      expect((await store.list()).map((entry) => entry.id)).toEqual([
        'other',
        's/busy',
        's/touched',
        's/written',
      ]);
      expect((await store.get('s/touched'))?.value).toBe('s/touched');
      expect(await store.expire({ before: now - 500, prefix: 's/' })).toEqual(['s/busy']);
    });

    it('never removes by being read late: only expiry removes', async () => {
      const { store } = await open();
      await store.set('a', 1);
      now += 1_000_000_000;
      expect(await store.get('a')).toMatchObject({ value: 1 });
      expect(await store.update('a', (value) => Number(value) + 1)).toMatchObject({ value: 2 });
    });

    it('outlives its instance where it says so', async () => {
      const { store, reopen } = await open();
      await store.set('a', { kept: true });
      await store.update('b', () => 1);
      if (reopen === undefined) {
        expect(store.kind).toBe('memory');
        return;
      }
      await store.close();
      const again = await reopen();
      expect(await again.get('a')).toMatchObject({ value: { kept: true }, version: 1 });
      expect((await again.list()).map((entry) => entry.id)).toEqual(['a', 'b']);
      expect(await again.update('b', (value) => Number(value) + 1)).toMatchObject({ value: 2, version: 2 });
    });
  });
}
