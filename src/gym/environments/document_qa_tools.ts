/** The document and note tools of StateLM, over session state. Results have the shapes of the reference's inference code. */
import * as v from 'valibot';
import { loadBundledTokenizer, type Tokenizer } from '../../tokens';
import { tool, type ToolOutcome, type ToolSchema } from '../environment';
import type { Json } from '../json';
import { documentIndex, documentTokens } from './documents';
import { integer, text } from './nemo';
import { addNote, mergeNotes, Notes, readNote, updateNote, type NoteOutcome } from './notes';

export const State = v.object({
  document: v.string(),
  question: v.string(),
  index: v.nullable(v.object({ chunk_size: v.number(), overlap: v.number(), total_chunks: v.number() })),
  /** The chunk that was read last; scanning goes on behind it. */
  cursor: v.nullable(v.number()),
  scanning: v.boolean(),
  notes: Notes,
  searched: v.array(v.string()),
});
export type State = v.InferOutput<typeof State>;

let tokenizer: Tokenizer | undefined;

/** Tools are synchronous; what they need is here before the first of them runs. */
export async function prepareTokenizer(): Promise<void> {
  tokenizer ??= await loadBundledTokenizer();
}

function loadedTokenizer(): Tokenizer {
  if (tokenizer === undefined) throw new Error('The tokenizer is not loaded yet.');
  return tokenizer;
}

const anything = v.looseObject({});
const failed = (error: string): ToolOutcome<State> => ({ result: { error } });
const noted = (state: State, outcome: NoteOutcome): ToolOutcome<State> =>
  'notes' in outcome
    ? { state: { ...state, notes: outcome.notes }, result: outcome.result }
    : { result: outcome.result };

/** Content is an object by its schema and text in practice; either is kept as text. */
function asText(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
}

export const documentTools = [
  tool({
    name: 'analyzeText',
    description: 'Tell how long the document is.',
    parameters: v.object({}),
    result: v.object({ file_name: v.string(), total_tokens: v.number() }),
    readOnly: true,
    run: ({ document }: State) => ({
      result: {
        file_name: 'attached_document.txt',
        total_tokens: documentTokens(loadedTokenizer(), document).length,
      },
    }),
  }),
  tool({
    name: 'loadDocument',
    description: 'Put the whole document into the context.',
    parameters: v.object({}),
    result: anything,
    readOnly: true,
    run: ({ document }: State) =>
      document === '' ? failed('Document content is empty.') : { result: { document_content: document } },
  }),
  tool({
    name: 'buildIndex',
    description: 'Cut the document into chunks of equal size and make them searchable.',
    parameters: v.object({
      chunk_size: v.optional(integer('How many tokens a chunk has; 4000 if not given.'), 4000),
      overlap: v.optional(
        integer('How many tokens a chunk shares with the one before it; 0 if not given.'),
        0,
      ),
    }),
    result: anything,
    run: (state: State, { chunk_size, overlap }) => {
      if (chunk_size <= 0) return failed('chunk_size must be > 0');
      if (overlap < 0) return failed('overlap must be >= 0');
      if (overlap >= chunk_size) return failed('overlap must be < chunk_size');
      const tokens = documentTokens(loadedTokenizer(), state.document).length;
      // Small steps over a large document would cut it into more pieces than anybody can hold.
      if (tokens / (chunk_size - overlap) > 100_000)
        return failed('That would be more than 100,000 chunks: take a larger chunk_size.');
      const { chunks } = documentIndex(loadedTokenizer(), state.document, chunk_size, overlap);
      return {
        state: {
          ...state,
          index: { chunk_size, overlap, total_chunks: chunks.length },
          cursor: null,
          searched: [],
        },
        result: {
          index_id: 'document_index',
          total_chunks: chunks.length,
          first_chunk_id: 0,
          last_chunk_id: chunks.length - 1,
        },
      };
    },
  }),
  tool({
    name: 'readChunk',
    description: 'Read one chunk in full: the one that chunk_id names, or in scan mode the next.',
    parameters: v.object({
      chunk_id: v.optional(
        v.nullable(integer('Which chunk to read; only without enable_scan, which reads the next.')),
      ),
      enable_scan: v.optional(
        v.nullable(
          v.pipe(
            v.boolean(),
            v.description('Read on behind the chunk that was read last; stays on until it is switched off.'),
          ),
        ),
      ),
    }),
    result: anything,
    run: (state: State, args) => readChunk(state, args.chunk_id ?? undefined, args.enable_scan ?? undefined),
  }),
  tool({
    name: 'searchEngine',
    description: 'Find the chunks in which these keywords stand.',
    parameters: v.object({ keyword: text('The keywords, with commas between them.') }),
    result: anything,
    run: (state: State, { keyword }) => {
      if (state.index === null) return failed('Index not built. Please call buildIndex first.');
      const keywords = keyword
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      if (keywords.length === 0) return failed('keyword cannot be empty.');
      const { chunk_size, overlap } = state.index;
      const hits = documentIndex(loadedTokenizer(), state.document, chunk_size, overlap).search(keywords);
      return {
        state: { ...state, searched: [...new Set([...state.searched, ...keywords])] },
        result:
          hits.length === 0
            ? { retrieved_chunks: [], message: 'No matching content found.', keywords }
            : { retrieved_chunks: hits, keywords },
      };
    },
  }),
];

function readChunk(
  state: State,
  chunkId: number | undefined,
  enableScan: boolean | undefined,
): ToolOutcome<State> {
  if (state.index === null) return failed("Index not built. Please call 'buildIndex' first.");
  const { chunk_size, overlap } = state.index;
  const { chunks } = documentIndex(loadedTokenizer(), state.document, chunk_size, overlap);
  const scanning = enableScan ?? state.scanning;
  const last = chunks.length - 1;
  const wanted = scanning ? (state.cursor ?? -1) + 1 : chunkId;
  if (wanted === undefined) return failed('chunk_id is required when enable_scan is false.');
  const chunk = chunks[wanted];
  if (chunk === undefined) {
    return failed(
      scanning
        ? `No more chunks available. Last chunk (${last}) already retrieved.`
        : `Chunk_id: ${wanted} is out of range. It must be between 0 and ${last}.`,
    );
  }
  const progress: { readonly [key: string]: Json } = scanning
    ? { reading_progress: `${wanted + 1}/${chunks.length}` }
    : {};
  return {
    state: { ...state, cursor: wanted, scanning },
    result: { retrieved_chunk: [chunk], chunk_id: wanted, ...progress },
  };
}

export const noteTools = [
  tool({
    name: 'note',
    description: 'Keep what matters in a note.',
    parameters: v.object({
      key: text('A name for the note, used by no other.'),
      summary: text('What the note is about, in a few words.'),
      content: v.pipe(v.unknown(), v.description('All that the note should keep.')),
    }),
    result: anything,
    run: (state: State, { key, summary, content }) =>
      noted(state, addNote(state.notes, { key, summary, full_content: asText(content) })),
  }),
  tool({
    name: 'readNote',
    description: 'Read one note in full.',
    parameters: v.object({ key: text('Which note to read.') }),
    result: anything,
    readOnly: true,
    run: (state: State, { key }) => ({ result: readNote(state.notes, key) }),
  }),
  tool({
    name: 'updateNote',
    description: 'Change a note: append to it, overwrite it, or delete it.',
    parameters: v.object({
      mode: text('One of append, overwrite, delete.'),
      key: text('Which note to change.'),
      new_content: v.optional(
        v.pipe(v.unknown(), v.description('What to append or to put in its place; nothing when deleting.')),
      ),
      new_summary: v.optional(v.nullable(text('The summary from now on.'))),
    }),
    result: anything,
    run: (state: State, { mode, key, new_content, new_summary }) => {
      const content = new_content === undefined || new_content === null ? undefined : asText(new_content);
      return noted(state, updateNote(state.notes, { key, mode, content, summary: new_summary ?? undefined }));
    },
  }),
  tool({
    name: 'mergeNotes',
    description: 'Merge several notes into one.',
    parameters: v.object({
      keys: v.pipe(v.array(v.string()), v.description('Keys of the notes to merge.')),
      new_key: v.optional(text('Key of the merged note. Default: the keys joined with underscores.')),
      new_summary: v.optional(text('Summary of the merged note. Default: the summaries joined.')),
    }),
    result: anything,
    run: (state: State, { keys, new_key, new_summary }) =>
      noted(state, mergeNotes(state.notes, keys, new_key, new_summary)),
  }),
];

function loopTool(
  name: string,
  description: string,
  properties: { readonly [key: string]: Json },
  required: readonly string[],
): ToolSchema {
  return {
    type: 'function',
    name,
    description,
    parameters: { type: 'object', properties, required },
    strict: false,
  };
}

/** They need the context, which only the agent loop has. */
export const loopTools: readonly ToolSchema[] = [
  loopTool('checkBudget', 'How much of the context is left.', {}, []),
  loopTool('getContextStats', 'Statistics of the current context, message by message.', {}, []),
  loopTool(
    'deleteContext',
    'Delete assistant or tool messages by their message IDs to save tokens.',
    {
      msg_id: { type: 'integer', description: 'Which message to delete.' },
      message_ids: { type: 'array', items: { type: 'integer' }, description: 'Several IDs at once.' },
    },
    [],
  ),
  loopTool(
    'finish',
    'Give the answer and end.',
    { answer: { type: 'string', description: 'The answer, as short as can be.' } },
    ['answer'],
  ),
];
