import { describe, expect, it } from 'vitest';
import { createIngest } from './ingest';
import type { Ingest, SearchState } from './protocol';
import { connect, serve, type WorkerPort } from './rpc';
import { testFormats } from './test-formats.fixtures';

/** Two ends of a wire that copies what it carries, as a worker's does. */
function wire(): { outside: WorkerPort; inside: WorkerPort; breakDown: (message: string) => void } {
  const [outside, inside] = [new EventTarget(), new EventTarget()];
  return {
    outside: wireEnd(outside, inside),
    inside: wireEnd(inside, outside),
    breakDown: (message) => void outside.dispatchEvent(Object.assign(new MessageEvent('error'), { message })),
  };
}

function wireEnd(own: EventTarget, other: EventTarget): WorkerPort {
  return {
    postMessage: (message) => {
      const data: unknown = structuredClone(message);
      queueMicrotask(() => other.dispatchEvent(new MessageEvent('message', { data })));
    },
    addEventListener: (type: string, listener: (event: MessageEvent) => void) => {
      own.addEventListener(type, (event) => {
        if (event instanceof MessageEvent) listener(event);
      });
    },
  };
}

function connected(): Ingest {
  const { outside, inside } = wire();
  serve(createIngest({ formats: testFormats }), inside);
  return connect(outside);
}

async function searched(ingest: Ingest): Promise<SearchState | undefined> {
  let last: SearchState | undefined;
  await ingest.search({ id: 'find', sources: ['run'], text: 'reward' }, (state) => (last = state));
  return last;
}

describe('connect', () => {
  it('answers as the ingest behind it does', async () => {
    const ingest = connected();
    const direct = createIngest({ formats: testFormats });
    const data = new Blob(['{"reward":2}\n{"reward":1}\noops']);
    for (const each of [ingest, direct]) {
      // Told again every so often, should reading take long.
      const phases = new Set<string>();
      await each.open({ id: 'run', name: 'run', data }, (state) => phases.add(state.phase));
      expect([...phases]).toEqual(['reading', 'ready']);
    }
    const query = { sources: ['run'], sort: [{ column: 'reward', descending: false }] };
    const ref = { source: 'run', episode: 0 };
    const asked = (each: Ingest): Promise<unknown[]> =>
      Promise.all([
        each.columns(['run']),
        each.rows(query, 0, 10),
        each.position(query, ref),
        each.problems('run'),
        each.episode(ref),
        each.raw(ref),
      ]);
    expect(await asked(ingest)).toEqual(await asked(direct));
    const found = await searched(ingest);
    expect(found).toEqual(await searched(direct));
    expect(found?.found).toHaveLength(2);
    await ingest.cancel('run');
    await ingest.close('run');
    expect(await ingest.rows(query, 0, 10)).toEqual({ total: 0, rows: [] });
  });

  it('rejects with what went wrong on the other side', async () => {
    const { outside, inside } = wire();
    const failing: Ingest = {
      ...createIngest({ formats: [] }),
      episode: () => Promise.reject(new Error('gone')),
    };
    serve(failing, inside);
    await expect(connect(outside).episode({ source: 'run', episode: 0 })).rejects.toThrow('gone');
  });

  it('rejects what cannot be sent, either way', async () => {
    const { outside, inside } = wire();
    const ingest = connect(outside);
    const unsendable = Object.assign([], { f: () => undefined });
    serve({ ...createIngest({ formats: [] }), problems: async () => unsendable }, inside);
    await expect(ingest.problems('run')).rejects.toThrow('could not be cloned');
    const input = { id: 'run', name: 'run', data: new Blob([]), extra: () => 1 };
    await expect(ingest.open(input, () => undefined)).rejects.toThrow('could not be cloned');
  });

  it('does not hang when the worker breaks down', async () => {
    const { outside, breakDown } = wire();
    const ingest = connect(outside);
    const calls = [ingest.problems('run'), ingest.columns(['run'])];
    breakDown('out of memory');
    for (const call of calls) await expect(call).rejects.toThrow(/broke down \(out of memory\).*Reload/);
    await expect(ingest.problems('run')).rejects.toThrow(/broke down/);
  });
});
