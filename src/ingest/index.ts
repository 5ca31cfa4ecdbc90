export type * from './protocol';
export { createIngest } from './ingest';
export { readSource, type ReadOptions, type ReadRecord, type ReadResult, type Visitor } from './read';
