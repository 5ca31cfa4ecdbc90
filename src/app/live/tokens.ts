/** The tokenizer of a run, and the template of its chats where it has one. */
import {
  loadBundledTokenizer,
  loadChatTemplate,
  loadHuggingFaceTokenizer,
  type ChatTemplate,
  type Tokenizer,
} from '../../tokens';
import { sourceFor } from '../tokenizers/choice';

export interface RunTokens {
  tokenizer: Tokenizer;
  template?: ChatTemplate;
}

/** By its id, or `bundled`. */
export async function tokensBy(chosen: string): Promise<RunTokens> {
  const source = await sourceFor(chosen);
  if (source === undefined)
    throw new Error('The tokenizer of this run is not here any more: drop its tokenizer.json again.');
  if (source.kind === 'bundled') return { tokenizer: await loadBundledTokenizer() };
  const settings: unknown = source.settings === undefined ? {} : JSON.parse(await source.settings.text());
  const [tokenizer, template] = await Promise.all([
    loadHuggingFaceTokenizer(source.name, JSON.parse(await source.tokenizer.text()), settings),
    loadChatTemplate(source.name, settings),
  ]);
  return { tokenizer, ...(template === undefined ? {} : { template }) };
}
