import type { Random } from './random';

/**
 * A NeMo Gym rollout without its end (`,"reward":…}`), of about so many bytes: a system and a user message, tools, then
 * reasoning, calls and results one after another, an answer. Prose, code and JSON within JSON, so that quotes, escapes
 * and letters beyond ASCII are about as frequent as in real runs.
 */
export function rolloutBody(next: Random, bytes: number): string {
  const input = [
    { role: 'system', content: prose(next, 300) },
    { role: 'user', content: prose(next, Math.min(4000, bytes / 6)) },
  ];
  const output: object[] = [];
  let left = bytes - 2500;
  for (let call = 0; left > 0; call++) {
    const id = `call_${hex(next, 24)}`;
    const share = Math.min(left, 400 + next() * 8000);
    const tool = pickOne(next, toolNames);
    if (next() < 0.4) output.push(reasoning(next, share * 0.3));
    output.push(
      {
        type: 'function_call',
        id: `fc_${hex(next, 24)}`,
        call_id: id,
        name: tool,
        arguments: JSON.stringify({ query: words(next, 6), path: `src/${words(next, 1)}.py`, limit: call }),
        status: 'completed',
      },
      { type: 'function_call_output', call_id: id, output: result(next, share * 0.6) },
    );
    left -= share;
  }
  output.push({
    type: 'message',
    id: `msg_${hex(next, 24)}`,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: prose(next, 400), annotations: [] }],
  });
  const rollout = {
    responses_create_params: { input, tools: tools(next), temperature: 1, parallel_tool_calls: false },
    response: {
      id: `resp_${hex(next, 24)}`,
      created_at: 1_760_000_000 + Math.floor(next() * 1e6),
      model: 'policy-model',
      object: 'response',
      output,
      usage: { input_tokens: Math.round(bytes / 4), output_tokens: Math.round(bytes / 9) },
    },
    verifier: { checks: Math.floor(next() * 9), seconds: Number(next().toFixed(3)), passed: next() < 0.5 },
    difficulty: Number(next().toFixed(3)),
  };
  return JSON.stringify(rollout).slice(0, -1);
}

function reasoning(next: Random, length: number): object {
  return {
    type: 'reasoning',
    id: `rs_${hex(next, 24)}`,
    summary: [{ type: 'summary_text', text: prose(next, length) }],
  };
}

function result(next: Random, length: number): string {
  const kind = next();
  if (kind < 0.35) {
    const rows = Array.from({ length: Math.max(1, Math.round(length / 110)) }, (_, id) => ({
      id,
      title: words(next, 4),
      score: Number(next().toFixed(4)),
      tags: [words(next, 1), words(next, 1)],
    }));
    return JSON.stringify({ results: rows });
  }
  return kind < 0.7 ? code(next, length) : prose(next, length);
}

function code(next: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    text += `    def ${pickOne(next, vocabulary)}_${pickOne(next, vocabulary)}(self, ${pickOne(next, vocabulary)}=None):\n`;
    text += `        """${words(next, 7)}."""\n        return self.${pickOne(next, vocabulary)}["${words(next, 1)}"]\n\n`;
  }
  return text;
}

function prose(next: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    text += `${words(next, 6 + Math.floor(next() * 12))}${next() < 0.15 ? '.\n\n' : '. '}`;
    if (next() < 0.06) text += `"${words(next, 4)}" — ${words(next, 3)}; `;
  }
  return text;
}

function tools(next: Random): object[] {
  return toolNames.map((name) => ({
    type: 'function',
    name,
    description: words(next, 12),
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
    strict: true,
  }));
}

const toolNames = ['search_documents', 'read_file', 'run_tests', 'list_events'];

const vocabulary = (
  'the of and to in that when is was for file value state step reward token model answer question session counter ' +
  'user time order list first last reads writes calls returns after before between because without about against ' +
  'number result error test path folder line column index shape length window context message Größe naïve 東京 día'
).split(' ');

function words(next: Random, count: number): string {
  let text = pickOne(next, vocabulary);
  for (let word = 1; word < count; word++) text += ` ${pickOne(next, vocabulary)}`;
  return text;
}

function pickOne(next: Random, from: readonly string[]): string {
  return from[Math.floor(next() * from.length)] ?? '';
}

function hex(next: Random, length: number): string {
  let text = '';
  while (text.length < length) text += Math.floor(next() * 16).toString(16);
  return text;
}
