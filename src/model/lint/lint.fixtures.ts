import { describe, expect, it } from 'vitest';
import type { Episode, Message, Part } from '../episode';
import { messageOf } from '../episode.fixtures';
import { lintEpisode } from './index';

export const question = messageOf(0, 'prompt', { bornAtStep: -1 });
export const answer = messageOf(9, 'policy', { bornAtStep: 1, parts: [{ kind: 'text', text: 'done' }] });

/** An assistant message that makes these calls, and a tool message for each answer. */
export function turn(step: number, firstId: number, calls: Part[], answers: string[][]): Message[] {
  return [
    messageOf(firstId, 'policy', { bornAtStep: step, parts: calls }),
    ...answers.map((toolResultFor, nth) =>
      messageOf(firstId + 1 + nth, 'environment', { bornAtStep: step, toolResultFor }),
    ),
  ];
}

/** An episode that a rule reports, or lets pass although it nearly breaks it. */
interface Case {
  what: string;
  episode: Episode;
  /** Findings as `message @step #msgId`; none for a near miss. */
  finds: string[];
}

/** A rule by what it reports and what it lets pass: there must be one of each. */
export function specify(rule: string, cases: Case[]): void {
  const hits = cases.filter(({ finds }) => finds.length > 0);
  const nearMisses = cases.filter(({ finds }) => finds.length === 0);
  describe(rule, () => {
    it('has a case of each kind', () => {
      expect(hits.length).toBeGreaterThan(0);
      expect(nearMisses.length).toBeGreaterThan(0);
    });
    for (const { what, episode, finds } of hits) {
      it(`reports: ${what}`, () => expect(findings(rule, episode)).toEqual(finds));
    }
    for (const { what, episode } of nearMisses) {
      it(`lets pass: ${what}`, () => expect(findings(rule, episode)).toEqual([]));
    }
  });
}

function findings(rule: string, episode: Episode): string[] {
  return lintEpisode(episode)
    .filter((finding) => finding.rule === rule)
    .map(({ message, step, msgId }) =>
      [
        message,
        ...(step === undefined ? [] : [`@${step}`]),
        ...(msgId === undefined ? [] : [`#${msgId}`]),
      ].join(' '),
    );
}
