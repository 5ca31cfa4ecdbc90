import type { Episode } from '../episode';
import { contextRules } from './context';
import { editRules } from './edits';
import type { Finding, Rule } from './finding';
import { idRules } from './ids';
import { maskRules } from './masks';
import { outcomeRules } from './outcome';
import { sessionRules, sessionSharedRule } from './session';
import { statelmRules } from './statelm';
import { viewRules } from './views';

export { isRewardOf } from './outcome';
export { sessionShared, sessionSharedRule, sessionsOf, type UsedSession } from './session';
export { stepOfFinding, type Finding, type Rule, type Severity } from './finding';

/** All rules, in the order their findings are listed. */
export const rules: readonly Rule[] = [
  ...outcomeRules,
  ...idRules,
  ...editRules,
  ...statelmRules,
  ...viewRules,
  ...maskRules,
  ...contextRules,
  ...sessionRules,
];

/** Of them all, and of the one that looks at several episodes. */
export const ruleIds: readonly string[] = [...rules.map(({ id }) => id), sessionSharedRule];

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
