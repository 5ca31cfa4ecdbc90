import type { Ingest } from './protocol';
import { connect } from './rpc';

/** Starts the worker and speaks to it. One per page is enough. */
export function connectIngest(): Ingest {
  return connect(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'ingest' }));
}
