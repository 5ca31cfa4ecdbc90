import { trajectory } from './trajectory.fixtures';

/** A run of Harbor's terminal agent whose context was summed up once, as the files it leaves. */

const asked = { source: 'user', message: 'Make hello.txt.' };
const says = (message: string, screen: string): object => ({
  source: 'agent',
  message,
  observation: { results: [{ content: screen }] },
});
const summedUp = {
  source: 'system',
  message: 'The context was summed up.',
  observation: {
    results: [
      {
        subagent_trajectory_ref: ['summary', 'questions', 'answers'].map((phase) => ({
          session_id: `s-1-summarization-1-${phase}`,
          trajectory_path: `trajectory.summarization-1-${phase}.json`,
        })),
      },
    ],
  },
};
const pickedUp = {
  source: 'user',
  message: 'You pick up where another left. In short: a test folder is there.',
};
const questions = { source: 'agent', message: 'Which folder?' };
const handedOver = { source: 'user', message: 'It answered: the folder test. Go on.' };
const copied = (step: object): object => ({ ...step, is_copied_context: true });

const before = [asked, says('Making a folder.', '$ mkdir test'), says('Looking.', '$ ls\ntest'), summedUp];
const after = [says('Writing it.', '$ echo hello > hello.txt'), says('Done.', '')];

const session = (name: string): object => ({ session_id: name });

/** What the agent that goes on asked, in a context of its own. */
export const questionsFile = trajectory([pickedUp, questions], session('s-1-summarization-1-questions'));

/** Where history is linear, a new file begins with what is left of the context. */
export const linear = {
  'trajectory.json': trajectory(before, {
    ...session('s-1'),
    continued_trajectory_ref: 'trajectory.cont-1.json',
  }),
  'trajectory.cont-1.json': trajectory(
    [copied(asked), copied(pickedUp), copied(questions), copied(handedOver), ...after],
    session('s-1-cont-1'),
  ),
  'trajectory.summarization-1-questions.json': questionsFile,
} as const;

/** Where it is not, the run goes on in the same file. */
export const inOneFile = {
  'trajectory.json': trajectory([...before, handedOver, ...after], session('s-1')),
  'trajectory.summarization-1-questions.json': questionsFile,
} as const;

/** What the model saw at each step, whichever way it was written. */
export const seen: readonly (readonly string[])[] = [
  ['Make hello.txt.'],
  ['Make hello.txt.', 'Making a folder.', '$ mkdir test'],
  [
    'Make hello.txt.',
    'You pick up where another left. In short: a test folder is there.',
    'Which folder?',
    'It answered: the folder test. Go on.',
  ],
  [
    'Make hello.txt.',
    'You pick up where another left. In short: a test folder is there.',
    'Which folder?',
    'It answered: the folder test. Go on.',
    'Writing it.',
    '$ echo hello > hello.txt',
  ],
];
