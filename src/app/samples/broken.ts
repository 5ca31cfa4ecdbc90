import { jsonl, row, type Environment, type Item, type Rollout, type Tool } from './rollout';

/** A file as a night of trouble leaves it: a full disk, a proxy that answered for the server, a row never filled in. */

const tools: Tool[] = [
  {
    name: 'convert_units',
    description: 'Converts a length.',
    parameters: {
      value: { type: 'number', description: 'How much.' },
      from: { type: 'string', description: 'ft or m' },
      to: { type: 'string', description: 'ft or m' },
    },
  },
];

const metres: Environment = (_, args) => `{"value": ${Math.round(Number(args['value']) * 304.8) / 1000}}`;

function conversion(task: number, feet: number, more: Partial<Rollout> = {}): Item {
  const answer = Math.round(feet * 304.8) / 1000;
  return row({
    task,
    rollout: 0,
    agent: 'units_simple_agent',
    prompt: `How many metres are ${feet} feet?`,
    tools,
    turns: [
      { calls: [{ name: 'convert_units', args: { value: feet, from: 'ft', to: 'm' } }] },
      { say: `${feet} feet are ${answer} m.` },
    ],
    environment: metres,
    reward: 1,
    ...more,
  });
}

/** Reasoning that the provider gives back only encrypted. */
function sealReasoning(items: Item[]): Item[] {
  return items.map((item) =>
    item['type'] === 'reasoning'
      ? { ...item, encrypted_content: btoa(`sealed by the provider: ${String(item['id'])}`.repeat(6)) }
      : item,
  );
}

export function broken(): string {
  const cutOff = JSON.stringify(conversion(2, 31));
  return jsonl([
    conversion(0, 12),
    conversion(1, 100, {
      turns: [
        { think: [], calls: [{ name: 'convert_units', args: { value: 100, from: 'ft', to: 'm' } }] },
        { think: [], say: '100 feet are 30.48 m.' },
      ],
      finish: sealReasoning,
    }),
    cutOff.slice(0, Math.floor(cutOff.length * 0.6)),
    conversion(3, 7),
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
    conversion(4, 64, {
      turns: [],
      reward: 0,
      response: { status: 'completed', usage: null },
      row: { model_patch: 'diff --git a/units.py b/units.py\n-FEET = 0.3084\n+FEET = 0.3048\n' },
    }),
    '<PLACEHOLDER ROW>',
    conversion(5, 5280),
    conversion(6, 3, {
      turns: [{ say: '3 feet are about 0.9 m.' }],
      reward: 0,
    }),
    conversion(7, 1000),
  ]);
}
