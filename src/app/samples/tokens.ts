import { randomFrom } from './random';
import {
  jsonl,
  row,
  system,
  user,
  type Call,
  type Environment,
  type Item,
  type Tool,
  type Turn,
} from './rollout';

/**
 * Rollouts whose items carry token ids, as a training run records them: on the last item of each model call its whole
 * prompt, what was generated, and the log-probability of each generated token. The vocabulary is our own: a token is a
 * word with the space before it, a sign, or a marker of the chat template.
 */

const tools: Tool[] = [
  {
    name: 'roll_dice',
    description: 'Rolls some dice.',
    parameters: { count: { type: 'integer', description: 'How many.' } },
  },
];

const instructions = 'You play a dice game. Roll, add up, and answer with the sum.';

/** Ids in order of first appearance, the same for all rollouts of the file. */
class Vocabulary {
  private readonly ids = new Map<string, number>();

  encode(text: string): number[] {
    const pieces = text.match(/<\|im_start\|>|<\|im_end\|>|<\/?[a-z_]+>| ?[\p{L}\p{N}_]+|\s|[^\s]/gu) ?? [];
    return pieces.map((piece) => {
      const id = this.ids.get(piece) ?? this.ids.size;
      this.ids.set(piece, id);
      return id;
    });
  }
}

/** One message in the ChatML template. The policy's own turns start after the opening. */
const opening = (role: string): string => `<|im_start|>${role}\n`;
const closing = '<|im_end|>\n';

/** What an item adds to the context of the policy. */
function textOf(item: Item): string {
  switch (item['type']) {
    case 'function_call':
      return `<tool_call>${JSON.stringify({ name: item['name'], arguments: item['arguments'] })}</tool_call>`;
    case 'function_call_output':
      return `<tool_response>${String(item['output'])}</tool_response>`;
    default:
      return Array.isArray(item['content'])
        ? item['content'].map((part: Item) => String(part['text'])).join('')
        : String(item['content']);
  }
}

interface Plan {
  question: string;
  rolls: string[];
  turns: Turn[];
  reward: number;
  /** From this model call on the context is rendered anew, without the words before the first call. */
  rewrittenAt?: number;
}

const roll = (count: number): Call[] => [{ name: 'roll_dice', args: { count } }];

const plans: Plan[] = [
  {
    question: 'Roll two dice twice. What is the sum of all four?',
    rolls: ['[3, 5]', '[6, 1]'],
    turns: [
      { say: 'First roll.', calls: roll(2) },
      { say: 'That is 8 so far.', calls: roll(2) },
      { say: '8 and 7 make 15.' },
    ],
    reward: 1,
  },
  {
    question: 'Roll two dice twice. What is the sum of all four?',
    rolls: ['[2, 2]', '[4, 6]'],
    turns: [{ say: 'First roll.', calls: roll(2) }, { calls: roll(2) }, { say: 'The sum is 12.' }],
    reward: 0,
  },
  {
    question: 'Roll one die three times. What is the sum?',
    rolls: ['[5]', '[1]', '[4]'],
    turns: [
      { say: 'I roll the first one.', calls: roll(1) },
      { calls: roll(1) },
      { calls: roll(1) },
      { say: '5 and 1 and 4 make 10.' },
    ],
    reward: 1,
    rewrittenAt: 2,
  },
  {
    question: 'Roll one die three times. What is the sum?',
    rolls: ['[6, 6, 2]'],
    turns: [{ say: 'All at once.', calls: roll(3) }, { say: '14.' }],
    reward: 1,
  },
];

function isPolicy(item: Item | undefined): boolean {
  return item?.['type'] === 'function_call' || (item?.['type'] === 'message' && item['role'] === 'assistant');
}

/** Puts the token ids of each model call on its last item. */
function withTokens(items: Item[], plan: Plan, vocabulary: Vocabulary, seed: number): Item[] {
  const random = randomFrom(seed);
  let context = `${opening('system')}${instructions}${closing}${opening('user')}${plan.question}${closing}`;
  let emission = '';
  let calls = 0;
  return items.map((item, index) => {
    if (!isPolicy(item)) {
      context += `${opening('user')}${textOf(item)}${closing}`;
      return item;
    }
    emission += textOf(item);
    if (isPolicy(items[index + 1])) return item;

    const shown =
      calls++ >= (plan.rewrittenAt ?? Infinity)
        ? context.replaceAll(/ ?I roll the first one\./g, '')
        : context;
    const generation = vocabulary.encode(`${emission}<|im_end|>`);
    const tokens = {
      prompt_token_ids: vocabulary.encode(`${shown}${opening('assistant')}`),
      generation_token_ids: generation,
      // Mostly sure, sometimes not.
      generation_log_probs: generation.map(() => -Math.round(1e5 * 4 * random.next() ** 4) / 1e5),
    };
    context += `${opening('assistant')}${emission}${closing}`;
    emission = '';
    return { ...item, ...tokens };
  });
}

export function tokens(): string {
  const vocabulary = new Vocabulary();
  return jsonl(
    plans.map((plan, index) => {
      const rolls = [...plan.rolls];
      const environment: Environment = () => rolls.shift();
      return row({
        task: Math.floor(index / 2),
        rollout: index % 2,
        agent: 'dice_simple_agent',
        prompt: [system(instructions), user(plan.question)],
        tools,
        turns: plan.turns,
        environment,
        reward: plan.reward,
        finish: (items) => withTokens(items, plan, vocabulary, index),
      });
    }),
  );
}
