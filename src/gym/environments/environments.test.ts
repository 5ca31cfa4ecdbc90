import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadBundledTokenizer, wellFormed, type Tokenizer } from '../../tokens';
import type { GymClient } from '../client';
import type { Script } from '../environment';
import { clientOf } from '../gym.fixtures';
import { arrayAt, at, isJsonObject, parse, stringAt, type Json, type JsonObject } from '../json';
import { firstDifference, playScript } from '../script';
import { createGym } from '../server';
import { taskRows, tasksJsonl } from '../tasks';
import { documentQa, normalise } from './document_qa';
import { documentIndex } from './documents';
import { environmentNamed, environments } from './index';

const clientFor = (name: string): GymClient => {
  const environment = environmentNamed(name);
  if (environment === undefined) throw new Error(name);
  return clientOf(createGym({ environments: environment, secret: 'test' }));
};
const answer = async (client: GymClient, tool: string, args: JsonObject): Promise<Json | undefined> =>
  (await client.call(tool, args)).response.json;

const verifyExtraction = async (synonym_values: Json): Promise<Json | undefined> =>
  (
    await clientFor('multi_step').verify({
      expected_synonym_values: [711, 407],
      minefield_label: 'Hot',
      minefield_label_value: 299,
      response: {
        output: [
          { type: 'function_call', name: 'extract_synonym_values', arguments: '{"synonym_values": [1]}' },
          {
            type: 'function_call',
            name: 'extract_synonym_values',
            arguments: JSON.stringify({ synonym_values }),
          },
          { type: 'message', content: [] },
        ],
      },
    })
  ).response.json;

const seeded = async (document_content: string): Promise<GymClient> => {
  const client = clientFor('document_qa');
  await client.seed({ document_content, question: 'What?' });
  return client;
};

const question = (row: Json): string | undefined =>
  stringAt(arrayAt(at(row, 'responses_create_params'), 'input').at(-1), 'content');

/** Message ids as the loop gives them: the user's is 0, then each emission and the results of its calls. */
const callsById = (script: Script): Map<number, string> => {
  const calls = new Map<number, string>();
  let id = 0;
  for (const { toolCalls } of script.emissions) {
    id += 1;
    for (const { name } of toolCalls) calls.set((id += 1), name);
  }
  return calls;
};

describe('scripts', () => {
  const all = environments.flatMap((environment) =>
    environment.scripts.map((script) => [script.name, environment, script] as const),
  );
  it.each(all)('%s ends with the reward that it promises', async (_name, environment, script) => {
    const played = await playScript(clientFor(environment.name), environment, script);
    expect(played.reward).toBe(script.expect.reward);
  });

  it('each environment ships one that succeeds, and has names of its own', () => {
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
    for (const { scripts } of environments) {
      expect(scripts.length).toBeGreaterThanOrEqual(2);
      expect(scripts[0]?.expect.reward).toBe(1);
    }
  });

  it('those over a document delete what they have read: chunks, and nothing else', () => {
    for (const script of documentQa.scripts) {
      const calls = callsById(script);
      for (const [id, name] of calls) {
        if (name !== 'deleteContext') continue;
        const emission = script.emissions[id / 2 - 1];
        const deleted = arrayAt(emission?.toolCalls[0]?.arguments, 'message_ids');
        expect(deleted.map((one) => calls.get(Number(one)))).toEqual(deleted.map(() => 'readChunk'));
        for (const one of deleted) expect(Number(one)).toBeLessThan(id);
      }
    }
  });

  it('one deletes three times, and reads the whole document by then', async () => {
    const script = documentQa.scripts.find(({ name }) => name === 'document-scan-and-delete');
    if (script === undefined) throw new Error('The script is not there.');
    expect([...callsById(script).values()].filter((name) => name === 'deleteContext')).toHaveLength(3);
    const { exchanges } = await playScript(clientFor('document_qa'), documentQa, script);
    const read = exchanges.filter(({ request }) => request.path === '/readChunk');
    expect(read.map(({ response }) => at(response.json, 'reading_progress'))).toEqual(['1/3', '2/3', '3/3']);
    expect(JSON.stringify(read[2]?.response.json)).toContain('lit for the first time');
  });

  it('shows where a mistake first makes a difference', async () => {
    const environment = environmentNamed('stateful_counter');
    const script = environment?.scripts[0];
    if (environment === undefined || script === undefined) throw new Error('no counter');
    const right = await playScript(clientFor('stateful_counter'), environment, script);
    const gym = createGym({ environments: environment });
    const dropped = await playScript(clientOf(gym, { dropCookies: true }), environment, script);
    // seed, increment, then the read that no longer finds the session.
    expect(firstDifference(right.exchanges, dropped.exchanges)).toBe(2);
    expect(firstDifference(right.exchanges, right.exchanges)).toBeUndefined();
    expect([right.reward, dropped.reward]).toEqual([1, 0]);
  });
});

describe('task inputs', () => {
  it.each(environments.map((environment) => [environment.name, environment] as const))(
    '%s has rows in the shape of NeMo Gym',
    (_name, environment) => {
      const rows = tasksJsonl(environment)
        .trim()
        .split('\n')
        .map((line) => parse(line));
      expect(rows).toHaveLength(environment.tasks.length);
      for (const row of rows) {
        const params = at(row, 'responses_create_params');
        expect(arrayAt(params, 'input').at(-1)).toMatchObject({ role: 'user', content: expect.any(String) });
        expect(arrayAt(params, 'tools').map((tool) => stringAt(tool, 'name'))).toEqual([
          ...environment.tools.keys(),
          ...environment.loopTools.map(({ name }) => name),
        ]);
      }
    },
  );

  it.each(environments.map((environment) => [environment.name, environment] as const))(
    '%s accepts its own rows as seed and verify',
    async (_name, environment) => {
      for (const row of taskRows(environment)) {
        const client = clientFor(environment.name);
        expect((await client.seed(row)).response.status).toBe(200);
        expect((await client.verify({ ...row, response: { output: [] } })).response.status).toBe(200);
      }
    },
  );
});

describe('simple_weather', () => {
  it('answers as the example does', async () => {
    expect(await answer(clientFor('simple_weather'), 'get_weather', { city: 'San Francisco' })).toEqual({
      city: 'San Francisco',
      weather_description: 'The weather in San Francisco is cold.',
    });
  });
});

describe('multi_step', () => {
  it('sums character codes', async () => {
    const client = clientFor('multi_step');
    expect(await answer(client, 'get_synonym_value', { synonym: 'Blazing' })).toEqual({ synonym_value: 711 });
    expect(await answer(client, 'get_synonym_value', { synonym: 'Warm' })).toEqual({ synonym_value: 407 });
    expect(await answer(client, 'get_synonym_value', { synonym: '😀' })).toEqual({ synonym_value: 0x1f600 });
  });

  it.each<[Json, object]>([
    [
      [711, 407],
      {
        reward: 1,
        accuracy: true,
        set_overlap: 1,
        original_term_minefield_hit: false,
        order_instruction_following_failure: false,
      },
    ],
    [[407, 711], { reward: 0, accuracy: false, set_overlap: 1, order_instruction_following_failure: true }],
    [[711], { reward: 0, set_overlap: 0.5, order_instruction_following_failure: false }],
    [[299], { reward: 0, set_overlap: 0, original_term_minefield_hit: true }],
    ['nonsense', { reward: 0, parsed_synonym_values: [], set_overlap: 0 }],
  ])('judges the last extraction %j', async (values, verdict) => {
    expect(await verifyExtraction(values)).toMatchObject(verdict);
  });
});

describe('multi_step_math', () => {
  it('equals a plain evaluation, whatever is done and undone', async () => {
    const operations = fc.array(
      fc.oneof(
        fc.record({
          name: fc.constantFrom('load', 'add', 'multiply'),
          value: fc.integer({ min: -9, max: 9 }),
        }),
        fc.constant({ name: 'undo', value: 0 }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(operations, async (steps) => {
        const client = clientFor('multi_step_math');
        await client.seed({ initial_value: 2 });
        const registers = [2];
        let used = 0;
        for (const { name, value } of steps) {
          await client.call(name, name === 'undo' ? {} : { value });
          const register = registers.at(-1) ?? 0;
          if (name === 'undo' && registers.length === 1) continue;
          used += 1;
          if (name === 'undo') registers.pop();
          else registers.push({ load: value, add: register + value, multiply: register * value }[name] ?? 0);
        }
        // JSON has no negative zero.
        const register = (registers.at(-1) ?? 0) + 0;
        expect(await answer(client, 'read', {})).toEqual({ register, operations: used });
        expect(
          (await client.verify({ expected_value: register, max_operations: used })).response.json,
        ).toMatchObject({ reward: 1 });
        if (used > 0) {
          expect(
            (await client.verify({ expected_value: register, max_operations: used - 1 })).response.json,
          ).toMatchObject({ reward: 0 });
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('document_qa', () => {
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    tokenizer = await loadBundledTokenizer();
  });

  it('cuts any document without losing a character', () => {
    const documents = fc.string({
      unit: fc.constantFrom('\uFEFF', '龘', 'a', 'lamp ', '中', '文', '😀', 'é', '\n', '👨‍👩‍👧', ' ', '.'),
      maxLength: 120,
    });
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const { chunks } = documentIndex(tokenizer, text, size, 0);
        expect(chunks.map(({ content }) => content).join('')).toBe(text);
        expect(chunks).toHaveLength(Math.ceil(tokenizer.count(text) / size));
        for (const chunk of chunks) expect(wellFormed(chunk.content)).toBe(chunk.content);
      }),
    );
  });

  it('lets chunks overlap by the tokens that were asked for', () => {
    const text = 'one two three four five six seven eight nine ten';
    const { chunks } = documentIndex(tokenizer, text, 4, 2);
    expect(chunks.map(({ content }) => content.trim())).toEqual([
      'one two three four',
      'three four five six',
      'five six seven eight',
      'seven eight nine ten',
      'nine ten',
    ]);
    expect(chunks[1]).toMatchObject({ chunk_id: 1, start_pos: 2, end_pos: 6 });
  });

  it('answers in the shapes of the reference', async () => {
    const client = await seeded(
      'Alpha beta. '.repeat(30) + 'Rosa married Tom. 中文 here. ' + 'Gamma delta. '.repeat(30),
    );
    expect(await answer(client, 'analyzeText', {})).toEqual({
      file_name: 'attached_document.txt',
      total_tokens: expect.any(Number),
    });
    const index = await answer(client, 'buildIndex', { chunk_size: 60 });
    const total = at(index, 'total_chunks');
    expect(index).toEqual({
      index_id: 'document_index',
      total_chunks: total,
      first_chunk_id: 0,
      last_chunk_id: Number(total) - 1,
    });
    const search = await answer(client, 'searchEngine', { keyword: 'rosa, married' });
    expect(search).toEqual({
      retrieved_chunks: [
        {
          chunk_id: expect.any(Number),
          relevance_score: expect.any(Number),
          highlights: [expect.stringContaining('<em>Rosa</em> <em>married</em> Tom')],
        },
      ],
      keywords: ['rosa', 'married'],
    });
    const chunk_id = Number(at(arrayAt(search, 'retrieved_chunks')[0], 'chunk_id'));
    expect(await answer(client, 'readChunk', { chunk_id })).toEqual({
      retrieved_chunk: [
        {
          chunk_id,
          content: expect.stringContaining('Rosa married Tom'),
          start_pos: chunk_id * 60,
          end_pos: expect.any(Number),
        },
      ],
      chunk_id,
    });
    expect(await answer(client, 'readChunk', { enable_scan: true })).toMatchObject({
      chunk_id: chunk_id + 1,
      reading_progress: `${chunk_id + 2}/${String(total)}`,
    });
    expect(await answer(client, 'searchEngine', { keyword: '文' })).toMatchObject({
      retrieved_chunks: [{ highlights: [expect.stringContaining('<em>文</em>')] }],
    });
    expect(await answer(client, 'searchEngine', { keyword: 'zebra' })).toEqual({
      retrieved_chunks: [],
      message: 'No matching content found.',
      keywords: ['zebra'],
    });
  });

  it('scans from the beginning to the end, and says so there', async () => {
    const client = await seeded('word '.repeat(25));
    await client.call('buildIndex', { chunk_size: 10 });
    const read = [];
    for (let turn = 0; turn < 4; turn++)
      read.push(await answer(client, 'readChunk', turn === 0 ? { enable_scan: true } : {}));
    expect(read.map((result) => at(result, 'reading_progress') ?? at(result, 'error'))).toEqual([
      '1/3',
      '2/3',
      '3/3',
      'No more chunks available. Last chunk (2) already retrieved.',
    ]);
  });

  it.each<[string, JsonObject, string]>([
    ['buildIndex', { chunk_size: 0 }, 'chunk_size must be > 0'],
    ['buildIndex', { chunk_size: 5, overlap: -1 }, 'overlap must be >= 0'],
    ['buildIndex', { chunk_size: 5, overlap: 5 }, 'overlap must be < chunk_size'],
    ['readChunk', { chunk_id: 0 }, "Index not built. Please call 'buildIndex' first."],
    ['searchEngine', { keyword: 'x' }, 'Index not built. Please call buildIndex first.'],
    ['readNote', { key: 'none' }, "Note 'none' not found!"],
    ['mergeNotes', { keys: ['none'] }, 'No notes found to merge.'],
  ])('%s %j is an error for the model, not for the server', async (name, args, error) => {
    const client = await seeded('Some text.');
    const { response } = await client.call(name, args);
    expect([response.status, response.json]).toEqual([200, { error }]);
  });

  it('keeps notes under any key, appends, overwrites, merges and deletes them', async () => {
    const client = await seeded('Some text.');
    expect(await answer(client, 'note', { key: '__proto__', summary: 's', content: 'first' })).toEqual({
      status: 'success',
      key: '__proto__',
    });
    await client.call('note', { key: 'b', summary: 'of b', content: { list: [1] } });
    expect(await answer(client, 'readNote', { key: 'b' })).toEqual({
      summary: 'of b',
      full_content: '{"list":[1]}',
    });
    expect(
      await answer(client, 'updateNote', { mode: 'append', key: '__proto__', new_content: 'second' }),
    ).toMatchObject({ status: 'success' });
    expect(await answer(client, 'readNote', { key: '__proto__' })).toEqual({
      summary: 's',
      full_content: 'first\nsecond',
    });
    expect(await answer(client, 'mergeNotes', { keys: ['b', '__proto__', 'none'], new_key: 'all' })).toEqual({
      status: 'success',
      new_key: 'all',
      merged_from: ['b', '__proto__'],
    });
    expect(await answer(client, 'readNote', { key: 'all' })).toEqual({
      summary: 'of b  s',
      full_content: '{"list":[1]}\nfirst\nsecond',
    });
    expect(await answer(client, 'updateNote', { mode: 'overwrite', key: 'all' })).toEqual({
      error: 'New note content is required.',
    });
    expect(await answer(client, 'updateNote', { mode: 'delete', key: 'all' })).toMatchObject({
      message: "Note 'all' deleted.",
    });
    expect(await answer(client, 'readNote', { key: 'all' })).toEqual({ error: "Note 'all' not found!" });
  });

  it('keeps document, cursor, index, notes and searches in the session', async () => {
    const gym = createGym({ environments: documentQa });
    const client = clientOf(gym);
    await client.seed({ document_content: 'Alpha beta gamma.', question: 'What?' });
    await client.call('buildIndex', { chunk_size: 2 });
    await client.call('searchEngine', { keyword: 'beta,alpha' });
    await client.call('readChunk', { chunk_id: 1 });
    expect(await gym.state('document_qa', (await client.sessionId()) ?? '')).toEqual({
      document: 'Alpha beta gamma.',
      question: 'What?',
      index: { chunk_size: 2, overlap: 0, total_chunks: 2 },
      cursor: 1,
      scanning: false,
      notes: [],
      searched: ['beta', 'alpha'],
    });
  });

  it('compares answers after normalisation', () => {
    expect(normalise('  The  LAMP.')).toBe(normalise('lamp'));
    expect(normalise('“Ａｄａ”!')).toBe('ada');
    expect(normalise('lamps')).not.toBe(normalise('lamp'));
  });
});

const CORPUS = new URL('../../../../shared/corpus/dev/', import.meta.url);
const inCorpus = existsSync(CORPUS);

/** Recorded rollouts of NeMo Gym's examples, called again: the same results must come back. */
describe.runIf(inCorpus)('rollouts of the corpus', () => {
  it.each([
    ['stateful_counter', 'example_session_state_mgmt'],
    ['multi_step', 'example_multi_step'],
    ['simple_weather', 'example_single_tool_call'],
  ])('%s gives the recorded results and rewards of %s', async (name, server) => {
    const rows = (kind: string): Json[] =>
      readFileSync(
        new URL(`NVIDIA-NeMo__Gym__resources_servers__${server}__data__${kind}.jsonl`, CORPUS),
        'utf8',
      )
        .trim()
        .split('\n')
        .map((line) => parse(line));
    const inputs = rows('example');
    for (const rollout of rows('example_rollouts')) {
      const input = inputs.find((row) => question(row) === question(rollout));
      if (input === undefined || !isJsonObject(input) || !isJsonObject(rollout))
        throw new Error('A rollout without its input.');
      const client = clientFor(name);
      expect((await client.seed(input)).response.status).toBe(200);
      const output = arrayAt(rollout['response'], 'output');
      for (const item of output.filter((candidate) => at(candidate, 'type') === 'function_call')) {
        const args = parse(stringAt(item, 'arguments') ?? '');
        const recorded = output.find(
          (candidate) =>
            at(candidate, 'type') === 'function_call_output' &&
            at(candidate, 'call_id') === at(item, 'call_id'),
        );
        if (!isJsonObject(args)) throw new Error('Arguments that are no object.');
        expect(await answer(client, stringAt(item, 'name') ?? '', args)).toEqual(
          parse(stringAt(recorded, 'output') ?? ''),
        );
      }
      const { response: _response, responses_create_params: _params, ...recordedVerdict } = rollout;
      const verdict = await client.verify({ ...input, response: rollout['response'] ?? null });
      expect(verdict.response.json).toMatchObject(recordedVerdict);
    }
  });
});
