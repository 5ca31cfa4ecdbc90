import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { newsReader, newsTeller } from './found';
import type { SearchState } from './protocol';

it('tells every state of a search by what is new in it', () => {
  // Each step finds some rows, those before it again or another.
  const steps = fc.array(fc.array(fc.nat(8), { maxLength: 6 }), { maxLength: 8 });
  fc.assert(
    fc.property(steps, (steps) => {
      const [tell, read] = [newsTeller(), newsReader()];
      const found: { ref: { source: string; episode: number }; matches: number }[] = [];
      let told = 0;
      for (const rows of steps) {
        for (const episode of rows) {
          const known = found.find(({ ref }) => ref.episode === episode);
          if (known === undefined) found.push({ ref: { source: 'a', episode }, matches: 1 });
          else known.matches += 1;
        }
        const state: SearchState = {
          phase: 'searching',
          bytesRead: 1,
          bytesTotal: 2,
          matches: 3,
          found: found.slice(),
        };
        const news = structuredClone(tell(state));
        told += news.more.length;
        expect(read(news)).toEqual(state);
      }
      expect(told).toBe(found.length);
    }),
  );
});
