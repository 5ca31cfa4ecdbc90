import { jsonl, row, type Call, type Environment, type Item, type Tool, type Turn } from './rollout';

/**
 * A counter that the server keeps per session: seeded, incremented, read. The only trace of the session in a rollout
 * file is what the tools return, so a lost cookie shows as a value that starts again from 0.
 */

const tools: Tool[] = [
  {
    name: 'increment_counter',
    description: 'Adds to the counter of this session.',
    parameters: { count: { type: 'integer', description: 'How much to add.' } },
  },
  { name: 'get_counter_value', description: 'The value of the counter of this session.', parameters: {} },
];

const tasks = [
  { initial: 3, adds: [4, 2], prompt: 'Add 4, then add 2, then tell me what the counter says.' },
  {
    initial: 10,
    adds: [5, 7],
    prompt: 'Add 5 and 7 to the counter, one after the other, and report its value.',
  },
];

/** The server. From the `loseCookieAt`th request on, the client comes without its cookie, in a session of its own. */
function server(initial: number, loseCookieAt = Infinity, unanswered = -1): Environment {
  let value = initial;
  let requests = 0;
  return (name, args) => {
    if (requests === loseCookieAt) value = 0;
    const request = requests++;
    if (name === 'increment_counter') value += Number(args['count']);
    if (request === unanswered) return undefined;
    return name === 'increment_counter' ? '{"success": true}' : `{"count": ${value}}`;
  };
}

const add = (count: number): Call => ({ name: 'increment_counter', args: { count } });
const read: Call = { name: 'get_counter_value', args: {} };

interface Plan {
  task: number;
  turns: Turn[];
  reward: number;
  loseCookieAt?: number;
  unanswered?: number;
}

const plans: Plan[] = [
  {
    task: 0,
    reward: 1,
    turns: [
      { think: ['The order is given, so I add 4 first.'], calls: [add(4)] },
      { calls: [add(2)] },
      { calls: [read] },
      { say: 'The counter says **9**.' },
    ],
  },
  {
    task: 0,
    reward: 0,
    // Read, add, read, add, read: the second add is the fourth request.
    loseCookieAt: 3,
    turns: [
      { think: ['I look at the counter before I change it.'], calls: [read] },
      { calls: [add(4)] },
      { think: ['It should be 7 now. Checking.'], calls: [read] },
      { calls: [add(2)] },
      { calls: [read] },
      {
        think: ['7 plus 2 is 9, but the tool says 2. I report what the tool returned.'],
        say: 'The counter says **2**. That is odd: it was 7 before I added 2.',
      },
    ],
  },
  {
    task: 0,
    reward: 1,
    turns: [
      { calls: [add(4), add(2)] },
      { calls: [read] },
      { say: 'After adding 4 and 2 the counter is at 9.' },
    ],
  },
  {
    task: 0,
    reward: 0,
    turns: [
      { calls: [add(4)] },
      { calls: [add(2)] },
      { think: ['4 + 2 = 6, no need to ask.'], say: 'The counter says 6.' },
    ],
  },
  {
    task: 1,
    reward: 1,
    turns: [
      { calls: [add(5)] },
      { calls: [add(7)] },
      { calls: [read] },
      { say: 'I added 5 and then 7. The counter is at 22.' },
    ],
  },
  {
    task: 1,
    reward: 0,
    // The first of two parallel calls never gets a result, though the server did add.
    unanswered: 0,
    turns: [
      { calls: [add(5), add(7)] },
      { think: ['Only one answer came back. I add the other one again to be safe.'], calls: [add(5)] },
      { calls: [read] },
      { say: 'The counter is at 27.' },
    ],
  },
  {
    task: 1,
    reward: 0,
    turns: [{ calls: [add(12)] }, { calls: [read] }, { say: 'The counter is at 22.' }],
  },
  {
    task: 1,
    reward: 1,
    turns: [
      { think: ['Two increments, in order, then a read.'], calls: [read] },
      { calls: [add(5)] },
      { calls: [add(7)] },
      { calls: [read] },
      { say: 'It went from 10 to **22**.' },
    ],
  },
];

export function counter(): string {
  return jsonl(
    plans.map((plan, index): Item => {
      const task = tasks[plan.task] ?? { initial: 0, adds: [], prompt: '' };
      const expected = task.adds.reduce((sum, count) => sum + count, task.initial);
      return row({
        task: plan.task,
        rollout: index % 4,
        agent: 'counter_simple_agent',
        prompt: task.prompt,
        tools,
        turns: plan.turns,
        environment: server(task.initial, plan.loseCookieAt, plan.unanswered),
        reward: plan.reward,
        row: { initial_count: task.initial, expected_count: expected },
      });
    }),
  );
}
