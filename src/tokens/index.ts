export { BUNDLED_TOKENIZER_ID, loadBundledTokenizer } from './bundled';
export { countLong, decodeEach, isMadeBy } from './counting';
export { loadChatTemplate, loadHuggingFaceTokenizer } from './huggingface';
export { chatMl } from './template';
export type { ChatTemplate, TemplateInput, TemplateMessage, TemplateToolCall } from './template';
export { wellFormed } from './tokenizer';
export type { EncodeOptions, Tokenizer } from './tokenizer';
