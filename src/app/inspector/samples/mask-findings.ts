import type { Finding, Severity } from '../../../model';
import { maskRules } from '../../../model/lint/masks';

const worst: Record<Severity, number> = { error: 0, warning: 1, info: 2 };
const ids: ReadonlySet<string> = new Set(maskRules.map(({ id }) => id));

/** What lint says of masks, what trains nothing first: it is why the others matter. */
export function maskFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ rule }) => ids.has(rule)).toSorted((a, b) => rank(a) - rank(b));
}

function rank({ rule, severity }: Finding): number {
  return rule === 'sample-trains-nothing' && severity !== 'info' ? -1 : worst[severity];
}

/** Lint numbers samples as files do; here they have names: `Sample 1 (final) trains nothing` and `Sample 0 (snapshot) …`. */
export function inNames(message: string): string {
  return message
    .replace(/^Sample \d+ \(final\)/, 'The final sample')
    .replace(/^Sample (\d+) \(snapshot\)/, (_, index: string) => `Snapshot ${Number(index) + 1}`);
}
