/** As people order names: `task 9` before `task 10`, case only where nothing else differs. */
export function compareNatural(a: string, b: string): number {
  return folded.compare(a, b) || exact.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

// A fixed language: the order must not depend on whose machine it is.
const folded = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const exact = new Intl.Collator('en', { numeric: true });
