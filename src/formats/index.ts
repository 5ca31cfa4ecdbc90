export {
  exportEpisode,
  exporters,
  findExporter,
  type Exported,
  type Exporter,
  type ExportTarget,
} from './export';
export { picksOf, prune, setOwn, type Fields, type Picks } from './fields';
export type { Format, SourceRecord } from './format';
export { detectFormat, formats } from './registry';
