import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { tryStore } from './trial';

it('memory loses the session with a restart and on another instance, IndexedDB keeps it', async () => {
  expect(await tryStore('memory')).toEqual({ seeded: 3, afterRestart: 0, onAnotherInstance: 0 });
  expect(await tryStore('indexeddb')).toEqual({ seeded: 3, afterRestart: 3, onAnotherInstance: 3 });
});
