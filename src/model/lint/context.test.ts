import type { Episode } from '../episode';
import { episodeOf, messageOf } from '../episode.fixtures';
import { specify } from './lint.fixtures';

/** Steps by the sizes of their prompts, each emitting 10 tokens, within 100. */
function calling(prompts: number[], given: Partial<Episode> = {}): Episode {
  return episodeOf({
    messages: prompts.map((_, step) => messageOf(step, 'policy', { bornAtStep: step })),
    steps: prompts.map((prompt, index) => ({
      index,
      tokens: { promptIds: new Int32Array(prompt), generationIds: new Int32Array(10) },
    })),
    limits: { maxModelLength: 100, responseLength: 20 },
    ...given,
  });
}

const refused = (tokens: number, penalty?: number): Partial<Episode> => ({
  statelm: { dialect: 'rl', finalIds: new Int32Array(tokens) },
  metrics: {
    context_length_exceeded: true,
    ...(penalty === undefined ? {} : { early_stop_penalty: penalty }),
  },
});

specify('emission-over-limit', [
  {
    what: 'a call that ends one token past the limit',
    episode: calling([50, 91, 60]),
    finds: [
      'Prompt and emission are 101 tokens, 1 more than max_model_length (100), and the episode was not ended @1',
    ],
  },
  { what: 'a call that ends at the limit', episode: calling([50, 90]), finds: [] },
  {
    what: 'a last call after which the loop ended the episode',
    episode: calling([50, 91], refused(101, -1)),
    finds: [],
  },
  { what: 'a source that knows no limit', episode: calling([200], { limits: {} }), finds: [] },
]);

specify('penalty-without-overflow', [
  {
    what: 'a context that fits to the token',
    episode: calling([50], refused(80, -1)),
    finds: ['A penalty for 80 tokens and a response of 20, which are within max_model_length (100) @0'],
  },
  { what: 'a context one token too long', episode: calling([50], refused(81, -1)), finds: [] },
  {
    what: 'no penalty',
    episode: calling([50], { statelm: { dialect: 'rl', finalIds: new Int32Array(60) } }),
    finds: [],
  },
]);

specify('overflow-without-penalty', [
  {
    what: 'a call after a render that should have ended the episode',
    episode: calling([50, 81], {
      statelm: { dialect: 'rl' },
      edits: [{ step: 0, kind: 'delete', msgIds: [0] }],
    }),
    finds: [
      'A rendered prompt of 81 tokens leaves no room for a response of 20 within 100, and the model was called @1',
    ],
  },
  {
    what: 'an end without its penalty',
    episode: calling([50], refused(81)),
    finds: ['The context did not fit, and no penalty is recorded @0'],
  },
  {
    what: 'a prompt that only grew, which the loop does not look at',
    episode: calling([50, 81], { statelm: { dialect: 'rl' } }),
    finds: [],
  },
  { what: 'an end with its penalty', episode: calling([50], refused(81, -1)), finds: [] },
]);
