import { describe, expect, it } from 'vitest';
import type { Episode, Sample } from '../episode';
import { episodeOf, messageOf } from '../episode.fixtures';
import { lintEpisode } from './index';
import { specify } from './lint.fixtures';
import { sampleOf, track, trained } from './statelm.fixtures';

const whole = sampleOf(
  track(3, 10, [
    [0, 4],
    [6, 10],
  ]),
);

specify('mask-length', [
  {
    what: 'a mask longer than the response',
    episode: trained([sampleOf(track(3, 10, [[0, 4]], { maskLength: 12 }))]),
    finds: ['Sample 0 (final) has 10 response ids and a mask of 12 @1'],
  },
  {
    what: 'log-probabilities of one token too few',
    episode: trained([sampleOf(track(3, 10, [[0, 4]], { logprobs: new Float32Array(9) }))]),
    finds: ['Sample 0 (final) has 10 response ids, a mask of 10 and 9 log-probabilities @1'],
  },
  {
    what: 'all of one length',
    episode: trained([sampleOf(track(3, 10, [[0, 4]], { logprobs: new Float32Array(10) }))]),
    finds: [],
  },
]);

specify('mask-outside-turn', [
  {
    what: 'a one just behind a turn',
    episode: trained([
      sampleOf(
        track(3, 10, [[0, 5]], {
          turns: [
            [0, 4],
            [6, 10],
          ],
        }),
      ),
    ]),
    finds: ['Sample 0 (final): the mask is 1 at 4, outside every assistant turn @1'],
  },
  {
    what: 'a one just before one',
    episode: trained([
      sampleOf(
        track(3, 10, [[5, 10]], {
          turns: [
            [0, 4],
            [6, 10],
          ],
        }),
      ),
    ]),
    finds: ['Sample 0 (final): the mask is 1 at 5, outside every assistant turn @1'],
  },
  {
    what: 'ones over two turns that touch',
    episode: trained([
      sampleOf(
        track(3, 10, [[0, 10]], {
          turns: [
            [0, 4],
            [4, 10],
          ],
        }),
      ),
    ]),
    finds: [],
  },
  {
    what: 'a source without boundaries',
    episode: trained([sampleOf(track(3, 10, [[0, 5]], { turns: [] }))]),
    finds: [],
  },
]);

specify('sample-trains-nothing', [
  {
    what: 'a mask of zeros',
    episode: trained([sampleOf(track(3, 10, []))]),
    finds: ['Sample 0 (final) trains nothing: its mask has no 1 @1'],
  },
  {
    what: 'ones that all lie past the last token',
    episode: trained([sampleOf(track(3, 10, [[10, 12]], { maskLength: 12 }))]),
    finds: [
      'Sample 0 (final) trains nothing: its mask of 12 is longer than the 10 tokens left of the re-rendered context, and all its 2 ones lie past their end @1',
    ],
  },
  {
    what: 'a sample after the last emission',
    episode: trained([sampleOf(track(3, 10, []), { firstStep: 2 })]),
    finds: ['Sample 0 (final) trains nothing: nothing was emitted after the last edit @1'],
  },
  { what: 'a single one', episode: trained([sampleOf(track(3, 10, [[9, 10]]))]), finds: [] },
]);

const first: Sample = sampleOf(track(3, 4, [[0, 4]]), { kind: 'snapshot', lastStep: 0 });

specify('turn-untrained', [
  {
    what: 'a turn under zeros in the only sample that has it',
    episode: trained([
      sampleOf(
        track(3, 10, [[0, 4]], {
          turns: [
            [0, 4],
            [6, 10],
          ],
        }),
      ),
    ]),
    finds: ['The 4 tokens emitted at step 1 are trained in no sample @1'],
  },
  {
    what: 'a turn whose ones lie past the tokens',
    episode: trained([
      sampleOf(
        track(
          3,
          6,
          [
            [0, 4],
            [6, 10],
          ],
          { maskLength: 10 },
        ),
      ),
    ]),
    finds: ['The 4 tokens emitted at step 1 are trained in no sample @1'],
  },
  {
    what: 'a turn under zeros here and ones there',
    episode: trained([
      first,
      sampleOf(
        track(3, 10, [[6, 10]], {
          turns: [
            [0, 4],
            [6, 10],
          ],
        }),
        { index: 1, firstStep: 1 },
      ),
    ]),
    finds: [],
  },
  { what: 'every turn trained', episode: trained([whole]), finds: [] },
  {
    what: 'a turn without tokens',
    episode: trained([
      sampleOf(
        track(3, 10, [[0, 4]], {
          turns: [
            [0, 4],
            [6, 6],
          ],
        }),
      ),
    ]),
    finds: [],
  },
]);

specify('turn-trained-twice', [
  {
    what: 'a mask that was not cleared at the edit',
    episode: trained([first, { ...whole, index: 1, firstStep: 1 }]),
    finds: ['The turn of step 0 is trained in samples 0 and 1 @0'],
  },
  {
    what: 'a mask that was',
    episode: trained([
      first,
      sampleOf(
        track(3, 10, [[6, 10]], {
          turns: [
            [0, 4],
            [6, 10],
          ],
        }),
        { index: 1, firstStep: 1 },
      ),
    ]),
    finds: [],
  },
]);

specify('turn-boundaries', [
  {
    what: 'turns that overlap',
    episode: trained([whole], {
      statelm: {
        dialect: 'rl',
        recordedTurns: [
          [0, 4],
          [3, 10],
        ],
      },
    }),
    finds: ['Turn 1, [3, 10), begins before the turn before it ends @1'],
  },
  {
    what: 'a turn past the mask, and one that is no range',
    episode: trained([whole], {
      statelm: {
        dialect: 'rl',
        recordedTurns: [
          [-1, 4],
          [6, 11],
        ],
      },
    }),
    finds: ['Turn 0, [-1, 4), is no range @0', 'Turn 1, [6, 11), ends past the mask of 10 @1'],
  },
  {
    what: 'turns that touch, up to the end',
    episode: trained([whole], {
      statelm: {
        dialect: 'rl',
        recordedTurns: [
          [0, 4],
          [4, 10],
        ],
      },
    }),
    finds: [],
  },
]);

/** Step 0 emits 4 tokens after a prompt of 3, an edit follows, step 1 emits 2 after a re-rendered prompt. */
function edited(rendered: number, samples: Sample[]): Episode {
  const messages = [messageOf(1, 'policy', { bornAtStep: 0 }), messageOf(2, 'policy', { bornAtStep: 1 })];
  return episodeOf({
    messages,
    statelm: { dialect: 'rl' },
    edits: [{ step: 0, kind: 'delete', msgIds: [1] }],
    steps: [
      {
        index: 0,
        tokens: { promptIds: new Int32Array(3).fill(1), generationIds: new Int32Array(4).fill(2) },
      },
      {
        index: 1,
        tokens: { promptIds: new Int32Array(rendered).fill(3), generationIds: new Int32Array(2).fill(4) },
      },
    ],
    samples,
  });
}

const before = sampleOf(track(3, 4, [[0, 4]]), { kind: 'snapshot', lastStep: 0 });

specify('tail-misaligned', [
  {
    what: 'a response that reaches into the prompt',
    episode: edited(9, [before, sampleOf(track(5, 6, [[4, 6]]), { index: 1, firstStep: 1 })]),
    finds: [
      'Sample 1 (final): the response starts 4 tokens inside the prompt, at token 5 (ids 3 3 3 3 …) instead of 9 (ids 4 4 …) @1',
    ],
  },
  {
    what: 'a mask that outgrew the context',
    episode: edited(2, [
      before,
      sampleOf(track(2, 4, [[4, 6]], { maskLength: 6 }), { index: 1, firstStep: 1 }),
    ]),
    finds: [
      'Sample 1 (final): a mask of 6 over a re-rendered context of 4 tokens; prompt and response overlap in 2 tokens, and the mask is shifted by 2 @1',
    ],
  },
  {
    what: 'a sample sliced where it was rendered',
    episode: edited(9, [before, sampleOf(track(9, 2, [[0, 2]]), { index: 1, firstStep: 1 })]),
    finds: [],
  },
]);

describe('a finding in a sample', () => {
  it('names the sample that its token range counts in', () => {
    const outside = track(3, 10, [[4, 6]], { turns: [[0, 4]] });
    const findings = lintEpisode(trained([first, sampleOf(outside, { index: 1, firstStep: 1 })]));
    expect(findings.find(({ rule }) => rule === 'mask-outside-turn')).toMatchObject({
      sample: 1,
      tokens: [7, 9],
    });
  });
});
