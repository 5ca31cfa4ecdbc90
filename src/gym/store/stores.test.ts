import 'fake-indexeddb/auto';
import { storeConformance } from './conformance.fixtures';
import { httpStore } from './http';
import { indexedDbStore } from './indexeddb';
import { createKeyValueServer } from './kv-server';
import { memoryStore } from './memory';

let databases = 0;

storeConformance('memory', async (clock) => ({ store: memoryStore({ clock }) }));

storeConformance('indexeddb', async (clock) => {
  databases += 1;
  const name = `conformance-${databases}`;
  return { store: indexedDbStore({ name, clock }), reopen: async () => indexedDbStore({ name, clock }) };
});

storeConformance('http', async (clock) => {
  const server = createKeyValueServer();
  const open = () => httpStore({ url: 'http://kv.test', fetch: (request) => server.fetch(request), clock });
  return { store: open(), reopen: async () => open() };
});
