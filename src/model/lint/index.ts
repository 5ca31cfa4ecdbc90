import type { Episode } from '../episode';
import type { Finding, Rule } from './finding';

export type { Finding, Rule, Severity } from './finding';

/** All rules, in the order their findings are listed. */
export const rules: readonly Rule[] = [];

export function lintEpisode(episode: Episode): Finding[] {
  return rules.flatMap((rule) =>
    rule.check(episode).map((place) => ({
      rule: rule.id,
      severity: rule.severity,
      explanation: rule.explanation,
      ...place,
    })),
  );
}
