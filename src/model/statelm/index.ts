export { chatText, compareView, type ViewDifference } from './agreement';
export { textOfIds } from './characters';
export { readChatml, type ChatmlTurn } from './chatml';
export { editsFrom } from './deletes';
export { exchangesOf, type ToolExchange } from './exchanges';
export { applyNote, noteEditsFrom, noteLines, notesAt, notesBlock, type Note } from './notes';
export { renderedAt, seenIn, seenMessages, writtenFor, type SeenMessage, type Written } from './render';
export {
  coveredBy,
  deletedAt,
  maskAt,
  sampleCount,
  sampleEnds,
  samplesOf,
  sizesOf,
  snapshotsOf,
  tailOf,
  type MaskState,
  type Slicing,
  type Snapshot,
} from './samples';
export { contextIds, firstBreak, maskOfSpans, spansOfMask } from './tokens';
