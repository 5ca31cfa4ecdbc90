import type { Fixture } from '../harness.fixtures';
import type { FixtureCall, FixtureMessage } from '../model-calls.fixtures';

/** Logs as Inspect writes them, and as it wrote them in 2024. */

const long = 'b'.repeat(32);
const picture = 'c'.repeat(32);

const asked = {
  id: 'm1',
  role: 'user',
  source: 'input',
  content: [
    { type: 'text', text: 'What is in the picture?' },
    { type: 'image', image: `attachment://${picture}`, detail: 'auto' },
  ],
};
const looking = {
  id: 'm2',
  role: 'assistant',
  source: 'generate',
  content: [
    { type: 'reasoning', reasoning: 'cipher', redacted: true, summary: 'I look.' },
    { type: 'text', text: 'Let me look.' },
  ],
  tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: `attachment://${long}` }, type: 'function' }],
};
const failed = {
  id: 'm3',
  role: 'tool',
  tool_call_id: 'c1',
  function: 'bash',
  content: '',
  error: { type: 'timeout', message: 'It took too long.' },
};
const told = { id: 'm4', role: 'assistant', content: 'A bike.' };

function modelEvent(input: readonly object[], message: object, more: object = {}): object {
  return {
    event: 'model',
    model: 'openai/model-s',
    input,
    output: { choices: [{ message, stop_reason: 'stop' }] },
    ...more,
  };
}

export const sample = {
  id: 'bike',
  epoch: 2,
  input: [asked],
  target: 'bike',
  messages: [asked, looking, failed, told],
  output: { model: 'model-s', choices: [{ message: told, stop_reason: 'stop' }] },
  scores: {
    match: { value: 'C', answer: 'A bike.' },
    style: { value: 0.5 },
    parts: { value: { a: 1, b: 'x' } },
  },
  events: [
    { event: 'span_begin', id: 's1', type: 'solvers', name: 'solvers' },
    modelEvent([asked], looking, {
      span_id: 's1',
      tools: [{ name: 'bash', description: `attachment://${long}` }],
    }),
    {
      event: 'tool',
      id: 'c1',
      function: 'bash',
      events: [modelEvent([{ role: 'user', content: 'Sub.' }], { role: 'assistant', content: 'Sub done.' })],
    },
    modelEvent([asked, looking, failed], told, { span_id: 's1' }),
    { event: 'model', model: 'm', input: [], output: { choices: [] }, error: 'overloaded' },
    { event: 'span_begin', id: 's2', type: 'scorers' },
    { event: 'span_begin', id: 's3', parent_id: 's2', type: 'scorer' },
    modelEvent(
      [{ role: 'user', content: 'Is it right?' }],
      { role: 'assistant', content: 'Yes.' },
      { span_id: 's3' },
    ),
  ],
  attachments: { [long]: 'sleep "5"', [picture]: 'data:image/png;base64,AA==' },
  metadata: { level: 3 },
  model_usage: { a: { input_tokens: 5, output_tokens: 2 }, b: { input_tokens: 1 } },
  total_time: 1.5,
};

/** The last call's tool answered after it, and then a limit was reached; contexts are ranges of a pool. */
export const pooled = {
  id: 1,
  epoch: 1,
  input: 'Guess.',
  target: '42',
  messages: [{ id: 'p0', role: 'user', content: 'Guess.' }, { ...looking, content: 'Hm.' }, failed],
  output: { choices: [] },
  scores: { close: { value: 0 } },
  events: [{ ...modelEvent([], { ...looking, content: 'Hm.' }), input_refs: [[0, 1]] }],
  message_pool: [{ id: 'p0', role: 'user', content: 'Guess.' }],
  limit: { type: 'message', limit: 3 },
};

const head = {
  version: 2,
  status: 'success',
  eval: { task: 'pictures', model: 'openai/model-s', created: '2026-01-01' },
  plan: { name: 'plan', steps: [] },
  results: { scores: [{ name: 'match', metrics: { accuracy: { value: 0.5 } } }] },
};

const short = {
  id: 'bike',
  epoch: 1,
  input: 'A bike?',
  target: 'bike',
  messages: [told],
  output: {},
  scores: {},
};
export const log = {
  ...head,
  samples: [short, { ...pooled, error: { message: 'It broke.' } }],
};
export const headOnly = { ...head, status: 'error', error: { message: 'No API key.' } };

/** Of 2024: a transcript instead of events, no ids, steps instead of spans. */
export const older = {
  id: 1,
  epoch: 1,
  input: 'Say yes.',
  target: 'yes',
  messages: [
    { role: 'user', content: 'Say yes.' },
    { role: 'assistant', content: 'Yes.', reasoning: 'easy' },
  ],
  output: { model: 'model-o', choices: [] },
  score: { value: 'I' },
  transcript: {
    name: 'all',
    events: [
      { event: 'step', action: 'begin', type: 'solver' },
      modelEvent([{ role: 'user', content: `tc://${long}` }], { role: 'assistant', content: 'Yes.' }),
      { event: 'step', action: 'begin', type: 'scorer' },
      modelEvent([], { role: 'assistant', content: 'I' }),
      { event: 'step', action: 'end', type: 'scorer' },
    ],
    content: { [long]: 'Say yes.' },
  },
};

export const inspectFixtures: Fixture[] = [
  { name: 'a log', format: 'inspect_json', value: log },
  { name: 'a log without samples', format: 'inspect_json', value: headOnly },
  { name: 'a sample', format: 'inspect_eval_zip', value: sample },
  { name: 'a sample with a pool', format: 'inspect_eval_zip', value: pooled },
  { name: 'a sample of 2024', format: 'inspect_eval_zip', value: older },
  { name: 'a sample without events', format: 'inspect_eval_zip', value: { ...older, transcript: undefined } },
];

export type Keeping = 'inline' | 'pooled' | 'without ids';

/** A sample that a log of calls is the transcript of, kept in one of the ways Inspect has. */
export function sampleOf(calls: readonly FixtureCall[], keeping: Keeping): object {
  const pool: FixtureMessage[] = [];
  const places = new Map<FixtureMessage, number>();
  const placeOf = (message: FixtureMessage): number => {
    const known = places.get(message) ?? pool.length;
    if (known === pool.length) pool.push(message);
    places.set(message, known);
    return known;
  };
  const spoken = (message: FixtureMessage): object =>
    inspectMessage(message, keeping === 'without ids' ? undefined : placeOf(message));
  const events = calls.map(({ context, emitted }) => {
    const event = modelEvent(keeping === 'pooled' ? [] : context.map(spoken), spoken(emitted));
    const refs = context.map((message) => [placeOf(message), placeOf(message) + 1]);
    return keeping === 'pooled' ? { ...event, input_refs: refs } : event;
  });
  const last = calls.at(-1);
  const messages = last === undefined ? [] : [...last.context, last.emitted].map(spoken);
  return {
    id: 1,
    epoch: 1,
    input: 'Go.',
    target: '',
    messages,
    output: {},
    events,
    ...(keeping === 'pooled' ? { events_data: { messages: pool.map(spoken) } } : {}),
  };
}

function inspectMessage(message: FixtureMessage, id: number | undefined): object {
  const { role, content, reasoning_content: reasoning, tool_calls: calls, tool_call_id: answered } = message;
  return {
    ...(id === undefined ? {} : { id: `m${id}` }),
    role,
    content:
      reasoning === undefined
        ? content
        : [
            { type: 'reasoning', reasoning },
            { type: 'text', text: content },
          ],
    ...(calls === undefined
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: given }): object => ({
            id,
            function: name,
            arguments: JSON.parse(given),
          })),
        }),
    ...(answered === undefined ? {} : { tool_call_id: answered, function: 'look' }),
  };
}
