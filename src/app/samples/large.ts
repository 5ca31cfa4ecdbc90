import { randomFrom, shuffled, type Random } from './random';
import { jsonl, row, type Environment, type Item, type Tool, type Turn } from './rollout';

/** Eight rollouts for each of 250 small sums. Harder ones fail more often, so that tasks differ in their mean reward. */

const taskCount = 250;
const rolloutsPerTask = 8;

const tools: Tool[] = [
  {
    name: 'multiply',
    description: 'The product of two whole numbers.',
    parameters: {
      a: { type: 'integer', description: 'A factor.' },
      b: { type: 'integer', description: 'The other factor.' },
    },
  },
];

const multiply: Environment = (_, args) => String(Number(args['a']) * Number(args['b']));

const things = [
  'crates of apples',
  'boxes of screws',
  'rolls of wire',
  'packs of paper',
  'trays of eggs',
] as const;
const levels = ['easy', 'medium', 'hard'] as const;

interface Task {
  index: number;
  level: (typeof levels)[number];
  a: number;
  b: number;
  thing: string;
}

function taskOf(index: number, random: Random): Task {
  const difficulty = random.below(3);
  const level = levels[difficulty] ?? 'hard';
  const largest = [12, 60, 900][difficulty] ?? 900;
  const factor = (): number => 3 + random.below(largest);
  return { index, level, a: factor(), b: factor(), thing: random.pick(things) };
}

const chanceOfSuccess = { easy: 0.93, medium: 0.7, hard: 0.38 };

function rollout(task: Task, nth: number, random: Random): Item {
  const { a, b } = task;
  const isRight = random.next() < chanceOfSuccess[task.level];
  const usesTool = random.next() < (isRight ? 0.7 : 0.25);
  const slip = 1 + random.below(9);
  const answer = isRight ? a * b : a * b + (random.below(2) === 0 ? slip : -10 * slip);
  const turns: Turn[] = [
    ...(usesTool ? [{ calls: [{ name: 'multiply', args: { a, b } }] }] : []),
    { say: `There are \\boxed{${answer}} in all.` },
  ];
  return row({
    task: task.index,
    rollout: nth,
    agent: 'arithmetic_simple_agent',
    prompt: `A store has ${a} ${task.thing} with ${b} in each. How many is that? Answer in \\boxed{}.`,
    tools,
    turns,
    environment: multiply,
    reward: isRight ? 1 : 0,
    row: {
      expected_answer: String(a * b),
      extracted_answer: String(answer),
      difficulty: task.level,
      used_tool: usesTool,
      'error/absolute': Math.abs(a * b - answer),
      seconds: Math.round(10 * (1 + 6 * random.next() + (usesTool ? 2 : 0))) / 10,
    },
  });
}

export function large(): string {
  const random = randomFrom(250);
  const rows = Array.from({ length: taskCount }, (_, index) => {
    const task = taskOf(index, random);
    return Array.from({ length: rolloutsPerTask }, (_, nth) => rollout(task, nth, random));
  });
  return jsonl(shuffled(rows.flat(), random));
}
