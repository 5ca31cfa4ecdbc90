import type { Finding, Severity } from '../../../model';

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** Findings of one rule, which all have its explanation. */
export interface RuleFindings {
  rule: string;
  explanation: string;
  findings: readonly Finding[];
}

export interface SeverityFindings {
  severity: Severity;
  count: number;
  rules: readonly RuleFindings[];
}

/** The worst first; within a severity the rules in the order they found something. */
export function bySeverity(findings: readonly Finding[]): SeverityFindings[] {
  return severities.flatMap((severity) => {
    const found = findings.filter((finding) => finding.severity === severity);
    return found.length === 0 ? [] : [{ severity, count: found.length, rules: byRule(found) }];
  });
}

function byRule(findings: readonly Finding[]): RuleFindings[] {
  const rules = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = rules.get(finding.rule);
    if (known === undefined) rules.set(finding.rule, [finding]);
    else known.push(finding);
  }
  return [...rules].map(([rule, found]) => ({
    rule,
    explanation: found[0]?.explanation ?? '',
    findings: found,
  }));
}
