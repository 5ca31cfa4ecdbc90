import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '../../../model';
import { bySeverity } from './groups';

const finding = fc.record({
  rule: fc.constantFrom('a', 'b', 'c'),
  severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
  message: fc.string(),
  explanation: fc.constant('why'),
});

describe('findings', () => {
  it('all stand under their severity and rule, the worst first, in the order they were found', () => {
    fc.assert(
      fc.property(fc.array(finding), (findings: Finding[]) => {
        const groups = bySeverity(findings);
        const order = ['error', 'warning', 'info'];
        const shown = groups.map(({ severity }) => order.indexOf(severity));
        expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
        for (const { severity, count, rules } of groups) {
          expect(count).toBe(findings.filter((one) => one.severity === severity).length);
          for (const { rule, findings: found } of rules) {
            expect(found).toEqual(findings.filter((one) => one.severity === severity && one.rule === rule));
          }
          expect(rules.reduce((sum, { findings: found }) => sum + found.length, 0)).toBe(count);
        }
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(findings.length);
      }),
    );
  });
});
