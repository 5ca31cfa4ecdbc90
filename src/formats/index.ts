export {
  exportEpisode,
  exporters,
  findExporter,
  type Exported,
  type Exporter,
  type ExportTarget,
} from './export';
export { picksOf, prune, setOwn, type Fields, type Picks, type TablePicks } from './fields';
export { cellOf, idOf, ItemTable, longestWord, wordCode, type ItemColumn } from './item-table';
export type { Beside, Format, Relation, Sketch, SourceRecord } from './format';
export {
  asksTheSame,
  closest,
  groupOf,
  joinInputs,
  JoinIndex,
  joinKeys,
  taskFields,
  type InputMatch,
  type JoinedBy,
  type JoinKeys,
} from './nemo-gym/join';
export { capturedRollout, partnerFacts, runRole, type PartnerFact, type RunRole } from './nemo-gym/partners';
export { detectFormat, formats } from './registry';
