import { createStore, promisifyRequest } from 'idb-keyval';
import { parse, type Json } from '../json';
import { StoreError, type Clock, type Store, type Stored, type StoreEntry } from './store';

/** The value as JSON text: structured clone has its own ideas about keys such as `__proto__`. */
interface Row {
  readonly text: string;
  readonly version: number;
  readonly createdAt: number;
  readonly touchedAt: number;
}

/** One database shared by all tabs of the origin. Each operation is one transaction, which is what makes `update` atomic across tabs. */
export function indexedDbStore({
  name = 'rollscope-gym',
  clock = Date.now,
}: { name?: string; clock?: Clock } = {}): Store {
  const run = createStore(name, 'sessions');

  /** Reads a row, lets `change` decide, writes, all before the transaction can end. `undefined` leaves the row as it is. */
  const change = (id: string, decide: (row: Row | undefined) => Row | undefined): Promise<Row | undefined> =>
    run(
      'readwrite',
      (rows) =>
        new Promise<Row | undefined>((resolve, reject) => {
          const { transaction } = rows;
          let result: Row | undefined;
          // Resolved when the transaction is complete, not when the request succeeds: only then is it written.
          transaction.addEventListener('complete', () => resolve(result));
          transaction.addEventListener('abort', () =>
            reject(new StoreError(`IndexedDB: ${String(transaction.error)}`)),
          );
          const read = rows.get(id);
          read.addEventListener('success', () => {
            try {
              // Rows are only ever written by this store.
              const old: Row | undefined = read.result;
              const next = decide(old);
              result = next ?? old;
              if (next !== undefined) rows.put(next, id);
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)));
              transaction.abort();
            }
          });
        }),
    );

  const write = (row: Row | undefined, value: Json): Row => {
    const now = clock();
    return {
      text: JSON.stringify(value),
      version: (row?.version ?? 0) + 1,
      createdAt: row?.createdAt ?? now,
      touchedAt: now,
    };
  };

  const visit = (
    prefix: string,
    mode: IDBTransactionMode,
    each: (id: string, cursor: IDBCursorWithValue) => void,
  ) =>
    run(
      mode,
      (rows) =>
        new Promise<void>((resolve, reject) => {
          rows.transaction.addEventListener('complete', () => resolve());
          rows.transaction.addEventListener('abort', () =>
            reject(new StoreError('IndexedDB: the transaction was aborted')),
          );
          const request = rows.openCursor(range(prefix));
          request.addEventListener('success', () => {
            const cursor = request.result;
            if (cursor === null) return;
            if (typeof cursor.key === 'string') each(cursor.key, cursor);
            cursor.continue();
          });
        }),
    );

  return {
    kind: 'indexeddb',
    get: async (id) =>
      opened(await run('readonly', (rows) => promisifyRequest<Row | undefined>(rows.get(id)))),
    set: async (id, value) => {
      const row = await change(id, (old) => write(old, value));
      return { value, version: row?.version ?? 1 };
    },
    update: async (id, decide) =>
      opened(
        await change(id, (row) => {
          const value = decide(opened(row)?.value);
          return value === undefined ? undefined : write(row, value);
        }),
      ),
    delete: async (id) => {
      let found = false;
      await run('readwrite', (rows) => {
        const count = rows.count(id);
        count.addEventListener('success', () => {
          found = count.result > 0;
          rows.delete(id);
        });
        return promisifyRequest(rows.transaction);
      });
      return found;
    },
    list: async (prefix = '') => {
      const entries: StoreEntry[] = [];
      await visit(prefix, 'readonly', (id, cursor) => {
        // Rows are only ever written by this store.
        const { version, createdAt, touchedAt }: Row = cursor.value;
        entries.push({ id, version, createdAt, touchedAt });
      });
      return entries;
    },
    count: (prefix = '') => run('readonly', (rows) => promisifyRequest(rows.count(range(prefix)))),
    touch: async (id) => {
      const row = await change(id, (old) => (old === undefined ? undefined : { ...old, touchedAt: clock() }));
      return row !== undefined;
    },
    expire: async ({ before, prefix = '', except }) => {
      const gone: string[] = [];
      await visit(prefix, 'readwrite', (id, cursor) => {
        // Rows are only ever written by this store.
        const row: Row = cursor.value;
        if (row.touchedAt >= before || except?.has(id) === true) return;
        cursor.delete();
        gone.push(id);
      });
      return gone;
    },
    close: async () => undefined,
  };
}

function opened(row: Row | undefined): Stored | undefined {
  return row && { value: parse(row.text), version: row.version };
}

/** Keys that begin with a prefix: U+FFFF sorts after every code unit that an id can have. */
function range(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uFFFF`);
}
