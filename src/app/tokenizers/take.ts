import { errorText } from '../../model/error-text';
import { say } from '../stores/toasts';
import { addTokenizer } from './choice';
import { keep } from './kept';
import { folderOf, HEAD_BYTES, maybeTokenizer, tokenizerFile, tokenizerName } from './recognise';
import { ask } from './work';

interface Item {
  name: string;
  data: Blob;
}

/** Keeps the tokenizers among some files and gives back the other files. */
export async function takeTokenizers<T extends Item>(items: readonly T[]): Promise<T[]> {
  const kinds = await Promise.all(items.map(kindOf));
  const settings = items.filter((_, index) => kinds[index] === 'settings');
  const tokenizers = items.filter((_, index) => kinds[index] === 'tokenizer');
  if (tokenizers.length === 0 && settings.length > 0) {
    say('A tokenizer_config.json needs its tokenizer.json: drop both together');
  }
  for (const item of tokenizers) {
    await take(
      item,
      settings.find(({ name }) => folderOf(name) === folderOf(item.name)),
    );
  }
  return items.filter((_, index) => kinds[index] === undefined);
}

async function kindOf({ name, data }: Item) {
  if (!maybeTokenizer(name, data.size)) return undefined;
  return tokenizerFile(name, await data.slice(0, HEAD_BYTES).text());
}

async function take({ name: path, data }: Item, settings: Item | undefined): Promise<void> {
  const name = tokenizerName(path);
  const files = { name, tokenizer: data, ...(settings === undefined ? {} : { settings: settings.data }) };
  try {
    const found = await ask('examine', { kind: 'file', id: '', ...files });
    const all = { ...files, ...found, addedAt: Date.now() };
    const isKept = await keep(all);
    addTokenizer(all, isKept);
    say(`Tokens are counted by ${name} now${isKept ? '' : ', until this page is closed'}`);
  } catch (error) {
    say(`${path} is no tokenizer that can be used: ${errorText(error)}`);
  }
}
