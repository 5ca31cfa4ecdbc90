import { errorText } from '../../model/error-text';
import {
  countLong,
  decodeEach,
  isMadeBy,
  loadBundledTokenizer,
  loadChatTemplate,
  loadHuggingFaceTokenizer,
  type Tokenizer,
} from '../../tokens';
import type { TokenizerSource, TokenizerWork, WorkReply, WorkRequest } from './protocol';

/** Tokenizers at work, away from the page: a count of a long episode takes seconds. */

type Answers = {
  [M in keyof TokenizerWork]: (
    ...args: Parameters<TokenizerWork[M]>
  ) => Promise<ReturnType<TokenizerWork[M]>>;
};

const work: Answers = {
  async examine({ name, tokenizer, settings }) {
    const config = await parsed(settings);
    const loaded = await loadHuggingFaceTokenizer(name, await parsed(tokenizer), config);
    const template = await loadChatTemplate(name, config);
    return { id: loaded.id, hasTemplate: template !== undefined };
  },
  async count(source, texts) {
    const tokenizer = await loaded(source);
    return texts.map((text) => countLong(tokenizer, text));
  },
  async read(source, ids, said) {
    const tokenizer = await loaded(source);
    const fits = said.length > 0 && said.every((each) => isMadeBy(tokenizer, each.ids, each.text));
    return { texts: decodeEach(tokenizer, ids), fits };
  },
};

/** The last one that was used: a vocabulary takes tens of megabytes. */
let last: { key: string; tokenizer: Promise<Tokenizer> } | undefined;

function loaded(source: TokenizerSource): Promise<Tokenizer> {
  if (source.kind === 'bundled') return loadBundledTokenizer();
  const key = source.id;
  if (last?.key !== key) last = { key, tokenizer: loadFile(source) };
  return last.tokenizer;
}

async function loadFile({ name, tokenizer, settings }: Extract<TokenizerSource, { kind: 'file' }>) {
  return loadHuggingFaceTokenizer(name, await parsed(tokenizer), await parsed(settings));
}

async function parsed(file: Blob | undefined): Promise<unknown> {
  return file === undefined ? {} : JSON.parse(await file.text());
}

function answer(request: WorkRequest): Promise<unknown> {
  switch (request.method) {
    case 'examine':
      return work.examine(...request.args);
    case 'count':
      return work.count(...request.args);
    case 'read':
      return work.read(...request.args);
  }
}

addEventListener('message', ({ data }: MessageEvent<WorkRequest>) => {
  answer(data).then(
    (value) => reply({ id: data.id, value }),
    (error: unknown) => reply({ id: data.id, error: errorText(error) }),
  );
});

function reply(message: WorkReply): void {
  postMessage(message);
}
