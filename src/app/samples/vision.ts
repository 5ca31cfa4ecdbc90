import { Picture } from './png';
import { jsonl, row, system, text, user, type Environment, type Item, type Tool } from './rollout';

/**
 * Lights out: a click on a lamp turns it and its neighbours on or off. The policy sees the board as a picture and has
 * to turn all lamps off; the environment answers every click with a user turn that holds the next picture.
 */

const size = 5;
const cell = 24;
const margin = 8;

const tools: Tool[] = [
  {
    name: 'click',
    description: 'Clicks on the lamp in a row and a column, both counted from 0 at the top left.',
    parameters: {
      row: { type: 'integer', description: '0 to 4' },
      column: { type: 'integer', description: '0 to 4' },
    },
  },
];

type Cell = readonly [row: number, column: number];

class Board {
  private readonly lit = new Set<string>();
  private last: Cell | undefined;

  /** Made by clicks from a dark board, so that the same clicks solve it. */
  constructor(clicks: readonly Cell[]) {
    for (const each of clicks) this.click(each);
    this.last = undefined;
  }

  get lampsOn(): number {
    return this.lit.size;
  }

  click([row, column]: Cell): void {
    this.last = [row, column];
    const touched = [
      [row, column],
      [row - 1, column],
      [row + 1, column],
      [row, column - 1],
      [row, column + 1],
    ];
    for (const [r = -1, c = -1] of touched) {
      const key = `${r},${c}`;
      if (r < 0 || c < 0 || r >= size || c >= size) continue;
      if (!this.lit.delete(key)) this.lit.add(key);
    }
  }

  screenshot(): string {
    const side = size * cell + 2 * margin;
    const picture = new Picture(side, side, ['1b2430', '344154', 'f2c14e', 'fbe3a2', '4aa3df']);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        const [x, y] = [margin + column * cell, margin + row * cell];
        const isLit = this.lit.has(`${row},${column}`);
        if (this.last?.[0] === row && this.last[1] === column) picture.rectangle(x, y, cell, cell, 4);
        picture.rectangle(x + 2, y + 2, cell - 4, cell - 4, isLit ? 2 : 1);
        if (isLit) picture.rectangle(x + 7, y + 7, cell - 14, cell - 14, 3);
      }
    }
    return picture.dataUrl();
  }

  observation(said: string): Item[] {
    return [text(said), { type: 'input_image', image_url: this.screenshot(), detail: 'auto' }];
  }
}

interface Click {
  at: Cell;
  think?: string;
}

interface Plan {
  task: number;
  clicks: Click[];
  conclusion?: string;
}

const puzzles: Cell[][] = [
  [
    [1, 1],
    [3, 3],
    [0, 4],
  ],
  [
    [2, 2],
    [2, 3],
    [4, 0],
    [0, 1],
  ],
];

const plans: Plan[] = [
  {
    task: 0,
    clicks: [
      { at: [1, 1], think: 'There is a whole cross around row 1, column 1. One click takes it away.' },
      { at: [3, 3], think: 'The same around row 3, column 3.' },
      {
        at: [0, 4],
        think: 'Three lamps are left in the top right corner: the corner itself turns all of them off.',
      },
    ],
    conclusion: 'All lamps are off, after 3 clicks.',
  },
  {
    task: 0,
    clicks: [
      { at: [0, 4], think: 'I start with the corner.' },
      { at: [3, 3] },
      { at: [3, 3], think: 'Did that click register? I click again.' },
      { at: [3, 3] },
      { at: [3, 3] },
      { at: [3, 3] },
    ],
  },
  {
    task: 1,
    clicks: [
      { at: [4, 0] },
      { at: [0, 1] },
      { at: [2, 5], think: 'The right end of the bar seems to be at column 5.' },
      { at: [2, 3] },
      { at: [2, 2] },
    ],
    conclusion: 'Done: the board is dark.',
  },
  {
    task: 1,
    clicks: [{ at: [2, 2] }, { at: [2, 3] }],
    conclusion: 'The board is dark now.',
  },
];

const isOnBoard = (at: Cell): boolean => at.every((each) => each >= 0 && each < size);

function rollout({ task, clicks, conclusion }: Plan, index: number): Item {
  const puzzle = puzzles[task] ?? [];
  const board = new Board(puzzle);
  const lampsLeft = new Board([...puzzle, ...clicks.map(({ at }) => at).filter(isOnBoard)]).lampsOn;
  const isSolved = lampsLeft === 0;
  const observe = (): Item[] =>
    board.observation(board.lampsOn === 0 ? 'All lamps are off.' : `Lamps on: ${board.lampsOn}. Your turn.`);
  const environment: Environment = (_, args) => {
    const at = [Number(args['row']), Number(args['column'])] as const;
    if (!isOnBoard(at)) return '{"error": "outside the board"}';
    board.click(at);
    return '{"clicked": true}';
  };
  return row({
    task,
    rollout: index % 2,
    agent: 'lights_out_gymnasium_agent',
    prompt: [
      system(
        'You see a board of 5 by 5 lamps. A click turns a lamp and its neighbours on or off. Turn all of them off.',
      ),
      user(observe()),
    ],
    tools,
    turns: [
      ...clicks.map(({ at: [row, column], think }) => ({
        ...(think === undefined ? {} : { think: [think] }),
        calls: [{ name: 'click', args: { row, column } }],
        observe,
      })),
      ...(conclusion === undefined ? [] : [{ say: conclusion }]),
    ],
    environment,
    reward: isSolved ? 1 : 0,
    row: {
      terminated: isSolved,
      truncated: conclusion === undefined,
      turns_used: clicks.length,
      info: { lamps_on: lampsLeft, success: isSolved },
    },
  });
}

export function vision(): string {
  return jsonl(plans.map(rollout));
}
