import { connectIngest } from '../../ingest/client';
import type { Ingest } from '../../ingest/protocol';

let connection: Ingest | undefined;

/** The one worker of the page, started when it is first needed. */
export function ingest(): Ingest {
  connection ??= connectIngest();
  return connection;
}
