import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyOf, type Episode, type Origin, type Part } from '../../../model';
import { callPart, episodeOf, episodes, messageOf } from '../../../model/episode.fixtures';
import { shownText } from '../../markdown/shownText';
import { SHARE } from '../messages/markdownShare';
import { rowsFor } from '../messages/rows';
import { finderOf, matchesIn, matchFrom, neighbourMatch, sameMatch, type Match } from './matches';
import { keysToOpen } from './reveal';
import { drawnPart, drawnText, exactly, shows, textsOf } from './texts';

const modes = fc.constantFrom('seen' as const, 'history' as const, 'changed' as const);
const none: ReadonlySet<string> = new Set();

function find(
  episode: Episode,
  text: string,
  step = 0,
  mode: 'seen' | 'history' | 'changed' = 'seen',
): Match[] {
  const finder = finderOf(text, false);
  if (finder === undefined) return [];
  const { rows } = rowsFor(episode, step, mode, none);
  return [...matchesIn(textsOf(episode, rows), finder)].flat();
}

describe('what can be found in an episode', () => {
  it('is every text of every message, in every mode', () => {
    fc.assert(
      fc.property(episodes(), fc.nat(5), modes, (episode, at, mode) => {
        const step = Math.min(at, Math.max(0, episode.steps.length - 1));
        const { rows } = rowsFor(episode, step, mode, none);
        const texts = [...textsOf(episode, rows)];
        for (const message of episode.messages) {
          message.parts.forEach((part, index) => {
            const own = drawnPart(part, message.role);
            const here = texts.some(
              ({ msgId, where, text }) =>
                msgId === message.msgId && (where === index || where === 'seen') && text().includes(own),
            );
            expect(here).toBe(true);
          });
        }
      }),
    );
  });

  it('is shown by a row of the step, or of the step that brought it', () => {
    fc.assert(
      fc.property(episodes(), fc.nat(5), modes, (episode, at, mode) => {
        const step = Math.min(at, Math.max(0, episode.steps.length - 1));
        const { rows } = rowsFor(episode, step, mode, none);
        for (const { msgId, where } of textsOf(episode, rows)) {
          if (rows.some((row) => shows(row, msgId, where))) continue;
          const born = Math.max(0, historyOf(episode).byId.get(msgId)?.bornAtStep ?? 0);
          const there = rowsFor(episode, born, mode, none).rows;
          const whole = rowsFor(episode, born, 'history', none).rows;
          expect([...there, ...whole].some((row) => shows(row, msgId, where))).toBe(true);
        }
      }),
    );
  });

  it('reaches tool arguments, reasoning and what a delete took', () => {
    const messages = [
      messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'text', text: 'Where is the key?' }] }),
      messageOf(1, 'policy', {
        bornAtStep: 0,
        parts: [
          { kind: 'reasoning', text: 'The KEY is lost.', form: 'full' },
          callPart('a', 'look', '{"for":"key"}'),
        ],
      }),
      messageOf(2, 'environment', {
        bornAtStep: 0,
        parts: [{ kind: 'text', text: '{"key":"under the mat"}' }],
        toolResultFor: ['a'],
      }),
    ];
    const episode = episodeOf({
      messages,
      steps: [{ index: 0 }, { index: 1 }],
      edits: [{ step: 0, kind: 'delete', msgIds: [2] }],
    });
    const found = (text: string, step = 0) =>
      find(episode, text, step).map(({ msgId, where }) => [msgId, where]);
    expect(found('key')).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 0],
    ]);
    expect(found('"for": "key"')).toEqual([[1, 1]]);
    expect(found('under the mat', 1)).toEqual([[2, 0]]);
    expect(found('deleted', 1)).toEqual([[2, 'stub']]);
    const { rows } = rowsFor(episode, 1, 'seen', none);
    expect(rows.some((row) => shows(row, 2, 0))).toBe(false);
    expect(rowsFor(episode, 1, 'history', none).rows.some((row) => shows(row, 2, 0))).toBe(true);
  });
});

/** How often a text is found in a message, as text and as Markdown. */
const timesFound = (parts: Part[], text: string) => {
  const episode = episodeOf({
    messages: [messageOf(0, 'policy', { bornAtStep: 0, parts })],
    steps: [{ index: 0 }],
  });
  const finder = finderOf(text, false);
  const { rows } = rowsFor(episode, 0, 'seen', none);
  const of = (readAs: typeof shownText) =>
    finder === undefined ? [] : [...matchesIn(textsOf(episode, rows, readAs), finder)].flat();
  return { text: of(exactly).length, markdown: of(shownText).length };
};

describe('what can be found in Markdown', () => {
  const given = 'A **bold zebra** text, a [link](https://x.example/zebra), aaaa.';

  it.each([
    ['text', { kind: 'text', text: given }],
    ['reasoning', { kind: 'reasoning', text: given, form: 'full' }],
    ['a refusal', { kind: 'refusal', text: given }],
    ['arguments that are no JSON', callPart('a', 'look', given)],
  ] as const)('is what is read of %s there, and in text the text itself', (_, part) => {
    expect(timesFound([part], 'bold zebra text')).toEqual({ text: 0, markdown: 1 });
    expect(timesFound([part], '**bold zebra**')).toEqual({ text: 1, markdown: 0 });
    expect(timesFound([part], 'zebra')).toEqual({ text: 2, markdown: 1 });
    expect(timesFound([part], 'aa')).toEqual({ text: 2, markdown: 2 });
  });

  it('is the text itself in the parts that are not drawn as Markdown', () => {
    const long: Part = { kind: 'text', text: 'x '.repeat(2_000) };
    const before = Array.from({ length: SHARE / 4_000 }, () => long);
    expect(timesFound([...before, { kind: 'text', text: given }], '**bold')).toEqual({
      text: 1,
      markdown: 1,
    });
    expect(timesFound([callPart('a', 'look', '{"for":"**bold**"}')], '**bold')).toEqual({
      text: 1,
      markdown: 1,
    });
  });
});

describe('the places of a text', () => {
  it('are where it stands, whatever it is', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'B', '.', '\\', '(', '[', '-', '$', 'é', '💡', '\ud800'),
    });
    fc.assert(
      fc.property(
        texts,
        texts.filter((text) => text.length > 0),
        fc.boolean(),
        (text, wanted, matchCase) => {
          const finder = finderOf(wanted, matchCase);
          if (finder === undefined) return;
          const places = [...matchesIn([{ msgId: 0, where: 0, text: () => text }], finder)].flat();
          let last = 0;
          places.forEach(({ start, end, nth }, at) => {
            const there = text.slice(start, end);
            expect(matchCase ? there : there.toLowerCase()).toBe(matchCase ? wanted : wanted.toLowerCase());
            expect(start).toBeGreaterThanOrEqual(last);
            expect(nth).toBe(at);
            last = end;
          });
          const isThere = matchCase
            ? text.includes(wanted)
            : text.toLowerCase().includes(wanted.toLowerCase());
          // Half of a pair is not found within a whole one.
          if (!/[\ud800-\udfff]/.test(wanted)) expect(places.length > 0).toBe(isThere);
        },
      ),
    );
  });

  it('are gone round in order, either way', () => {
    const list = Array.from({ length: 7 }, (_, nth): Match => {
      return { msgId: nth >> 1, where: 0, nth: nth % 2, start: 0, end: 1 };
    });
    fc.assert(
      fc.property(fc.nat(6), fc.constantFrom(1 as const, -1 as const), (at, by) => {
        const there = neighbourMatch(list, list[at], by);
        expect(sameMatch(neighbourMatch(list, there, by === 1 ? -1 : 1), list[at])).toBe(true);
      }),
    );
    const order = new Map([0, 1, 2, 3].map((msgId) => [msgId, msgId]));
    expect(matchFrom(list, order, 2)).toBe(list[4]);
    expect(matchFrom(list, order, undefined)).toBe(list[0]);
    expect(matchFrom(list.slice(0, 2), order, 3)).toBe(list[0]);
  });
});

const at = (text: string, where: Match['where']): Match => {
  const start = text.indexOf('needle');
  return { msgId: 3, where, nth: 0, start, end: start + 6 };
};
const message = (origin: Origin, parts: Part[]) => messageOf(3, origin, { bornAtStep: 0, parts });

const keysInMarkdown = (text: string, start: number) => {
  const match = { msgId: 3, where: 0, nth: 0, start, end: start + 6 };
  return keysToOpen(message('policy', [{ kind: 'text', text }]), { state: 'verbatim' }, match, shownText);
};

describe('what has to be opened', () => {
  const long = `${'line\n'.repeat(40)}needle`;
  const verbatim = { state: 'verbatim' } as const;

  it('is what is folded, where the match is below the fold', () => {
    const given = message('policy', [{ kind: 'text', text: long }]);
    expect(keysToOpen(given, verbatim, at(long, 0))).toEqual(['3 0']);
    expect(keysToOpen(given, verbatim, { ...at(long, 0), start: 0, end: 4 })).toEqual([]);
    expect(keysToOpen(given, { state: 'ghost', edit: undefined }, at(long, 0))).toEqual(['3 original 0']);
  });

  it('is what is folded in Markdown, too, or reads otherwise as a whole', () => {
    const text = `**needle** ${'**word**\n\n'.repeat(40)} needle`;
    expect(keysInMarkdown(text, 0)).toEqual([]);
    expect(keysInMarkdown(text, shownText(text).lastIndexOf('needle'))).toEqual(['3 0']);
    // As a whole it is too long for Markdown.
    expect(keysInMarkdown(`**needle** ${'word '.repeat(10_000)}`, 2)).toEqual(['3 0']);
  });

  it('is every page of a very long text', () => {
    const text = `${'x'.repeat(2_500_000)}needle`;
    const given = message('policy', [{ kind: 'text', text }]);
    expect(keysToOpen(given, verbatim, at(text, 0))).toEqual(['3 0', '3 0 page 1', '3 0 page 2']);
  });

  it('is JSON under a key of its own', () => {
    const json = JSON.stringify({
      list: Array.from({ length: 40 }, (_, n) => `a rather long value ${n}`),
      last: 'needle',
    });
    const given = message('environment', [{ kind: 'text', text: json }]);
    expect(keysToOpen(given, verbatim, at(drawnText(json, true), 0))).toEqual(['3 0 all']);
    const call = message('policy', [callPart('a', 'look', json)]);
    const drawn = `look ${drawnText(json, true)}`;
    expect(keysToOpen(call, verbatim, at(drawn, 0))).toEqual(['3 0 all']);
  });

  it('is every page of parts before it', () => {
    const given = message(
      'policy',
      Array.from({ length: 400 }, () => ({ kind: 'text' as const, text: 'needle' })),
    );
    expect(keysToOpen(given, verbatim, at('needle', 320))).toEqual(['3 parts from 50', '3 parts from 300']);
    expect(keysToOpen(given, verbatim, at('needle', 49))).toEqual([]);
  });
});
