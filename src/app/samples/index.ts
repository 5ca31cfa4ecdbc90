/** A rollout file that comes with Rollscope. Its text is made when it is opened, always the same. */
export interface Sample {
  /** Names it in links: `sample/counter`. */
  id: string;
  title: string;
  /** One line on what there is to see. */
  shows: string;
  fileName: string;
  load(): Promise<string>;
}

export const samples: readonly Sample[] = [
  {
    id: 'deletes',
    title: 'A context with three deletes',
    shows:
      'StateLM reads a logbook, notes what matters and deletes the rest: four samples train every turn once.',
    fileName: 'logbook_deletes.jsonl',
    load: async () => (await import('./statelm')).deletes(),
  },
  {
    id: 'outgrown',
    title: 'A mask that outgrows its context',
    shows:
      'After a large delete the mask is longer than the tokens under it: the final sample trains nothing.',
    fileName: 'logbook_outgrown.jsonl',
    load: async () => (await import('./statelm')).outgrown(),
  },
  {
    id: 'counter',
    title: 'Counter with a lost cookie',
    shows: 'Eight rollouts of a stateful server. In one the session starts again from 0 halfway through.',
    fileName: 'counter_rollouts.jsonl',
    load: async () => (await import('./counter')).counter(),
  },
  {
    id: 'research',
    title: 'Research in field reports',
    shows:
      'Four long rollouts of one question: parallel calls, reasoning, tables and code, and four different rewards.',
    fileName: 'field_research_rollouts.jsonl',
    load: async () => (await import('./research')).research(),
  },
  {
    id: 'vision',
    title: 'Lights out, from screenshots',
    shows: 'A policy that sees a board as images and clicks on it; the environment answers with user turns.',
    fileName: 'lights_out_rollouts.jsonl',
    load: async () => (await import('./vision')).vision(),
  },
  {
    id: 'components',
    title: 'Rewards in parts, and findings',
    shows:
      'Rewards of four components and metrics of many kinds, with rows that lint has something to say about.',
    fileName: 'ops_triage_rollouts.jsonl',
    load: async () => (await import('./components')).components(),
  },
  {
    id: 'broken',
    title: 'A damaged file',
    shows: 'Three lines that are no rollouts among seven that are; encrypted reasoning, and an empty output.',
    fileName: 'damaged_rollouts.jsonl',
    load: async () => (await import('./broken')).broken(),
  },
  {
    id: 'tokens',
    title: 'Token ids and log-probabilities',
    shows:
      'Every model call with its prompt and generation tokens; in one rollout a prompt was rewritten on the way.',
    fileName: 'token_rollouts.jsonl',
    load: async () => (await import('./tokens')).tokens(),
  },
  {
    id: 'large',
    title: 'Two thousand rollouts',
    shows: 'Eight rollouts for each of 250 tasks, in the order they finished: sort, hide and resize columns.',
    fileName: 'arithmetic_rollouts.jsonl',
    load: async () => (await import('./large')).large(),
  },
];
