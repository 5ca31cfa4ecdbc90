import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callPart, episodeOf, episodes } from '../episode.fixtures';
import { toolCallsOf } from '../history';
import { lintEpisode, rules } from './index';
import { answer, question, turn } from './lint.fixtures';

const sources = import.meta.glob<string>('./*.test.ts', { query: '?raw', import: 'default', eager: true });

describe('the rules', () => {
  it('have readable ids, each once', () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
  });

  it('each have a case that breaks them and one that nearly does', () => {
    // `specify` fails where one of the two is missing; here, where a rule is not specified at all.
    const specified = new Set(
      Object.values(sources).flatMap((text) =>
        Array.from(text.matchAll(/^specify\('([^']+)'/gm), ([, id]) => id),
      ),
    );
    expect(rules.map(({ id }) => id).filter((id) => !specified.has(id))).toEqual([]);
    expect([...specified].filter((id) => !rules.some((rule) => rule.id === id))).toEqual([]);
  });

  it('place every finding in the episode, on one line', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const msgIds = new Set(episode.messages.map(({ msgId }) => msgId));
        for (const { message, step, msgId } of lintEpisode(episode)) {
          expect(message).not.toMatch(/\n/);
          if (step !== undefined) expect(episode.steps[step]?.index).toBe(step);
          if (msgId !== undefined) expect(msgIds.has(msgId)).toBe(true);
        }
      }),
    );
  });

  it('take no call for answered that is not, and no result for lost that is not', () => {
    fc.assert(
      fc.property(episodes(), (episode) => {
        const answered = episode.messages.flatMap(({ toolResultFor }) => toolResultFor ?? []);
        const calls = episode.messages.flatMap(toolCallsOf);
        const found = lintEpisode(episode).map(({ rule }) => rule);
        expect(found.filter((rule) => rule === 'dangling-call').length).toBe(calls.length - answered.length);
        expect(found).not.toContain('orphan-result');
        expect(found).not.toContain('duplicate-call-id');
      }),
    );
  });

  it('find nothing in an episode where every call is answered and nothing is deleted', () => {
    const messages = [question, ...turn(0, 1, [callPart('a')], [['a']]), answer];
    expect(lintEpisode(episodeOf({ messages }))).toEqual([]);
  });

  it('only note a call of the last step', () => {
    const messages = [...turn(0, 0, [callPart('a')], []), ...turn(1, 1, [callPart('b')], [])];
    expect(lintEpisode(episodeOf({ messages })).map(({ severity }) => severity)).toEqual(['warning', 'info']);
  });
});
