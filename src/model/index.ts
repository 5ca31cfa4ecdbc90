export * from './episode';
export * from './exchange';
export * from './record';
export * from './roles';
export * from './history';
export * from './answers';
export * from './view';
export * from './build';
export * from './text';
export * from './budget';
export { tokenRate, type TokenRate } from './token-rate';
export {
  deletionQuality,
  isRefused,
  overflowOf,
  type DeletionQuality,
  type Overflow,
} from './deletion-quality';
export * from './chat';
export * from './summary';
export * from './lint';
export * from './markdown';
export * from './json-text';
export { objectText, pythonJson } from './python-json';
export { aroundBreak, promptBreaks, type BreakAround, type PromptBreak } from './prompt-breaks';
export * from './recorded';
export * from './state';
export * from './compare';
export { pointerKeys, sameValue, valueAtPointer } from './json-value';
export * from './seen';
export { stubOf, stubTexts } from './stub-text';
export * from './statelm';
