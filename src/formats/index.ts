export type { Format, SourceRecord } from './format';
export { detectFormat, formats } from './registry';
