import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportEpisode, exporters, formats } from '../../formats';
import { wholeEpisodes } from '../../formats/rollscope/rollscope.fixtures';
import { createIngest } from '../../ingest/ingest';
import { callPart, episodeOf, messageOf } from '../../model/episode.fixtures';
import { at, numberAt, type Episode } from '../../model';
import { gather, type Gathered } from './gather';
import { episodeHtml } from './html';
import { fileName } from './save';
import { targets } from './targets';

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)> & '`;

function told(text: string, more: Partial<Episode> = {}): Episode {
  return episodeOf({
    title: text,
    messages: [
      messageOf(0, 'prompt', { bornAtStep: -1, roleLabel: text, parts: [{ kind: 'text', text }] }),
      messageOf(1, 'policy', {
        bornAtStep: 0,
        parts: [
          { kind: 'reasoning', form: 'full', text },
          callPart(text, text, text),
          { kind: 'image', url: text },
          { kind: 'unknown', type: text, value: { [text]: text } },
        ],
      }),
    ],
    metrics: { [text]: text },
    outcome: { components: { [text]: 1 }, verdict: text, error: text },
    gaps: [{ about: 'tokens', reason: text }],
    ...more,
  });
}

function pictured(url: string): string {
  const message = messageOf(0, 'prompt', { bornAtStep: -1, parts: [{ kind: 'image', url }] });
  return episodeHtml(episodeOf({ messages: [message] }));
}

/** Elements of a page, by name. */
function elements(html: string): Set<string> {
  return new Set([...html.matchAll(/<([a-z0-9]+)/gi)].map(([, name]) => (name ?? '').toLowerCase()));
}

const harmless = elements(episodeHtml(told('plain')));

describe('an episode as one HTML file', () => {
  it('has no script and asks for nothing, whatever the episode says', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          wholeEpisodes(),
          fc.string({ unit: 'binary' }).map((text) => told(text + evil)),
        ),
        (episode) => {
          const html = episodeHtml(episode);
          for (const name of elements(html)) {
            if (!harmless.has(name)) expect(['label', 'input', 'section', 'ul', 'li', 'img']).toContain(name);
          }
          expect(html).not.toMatch(/<script|<[^>]* on\w+=|<link|<iframe|javascript:[^&]/i);
          expect(
            [...html.matchAll(/src="([^"]*)"/g)].every(([, src]) => src?.startsWith('data:image/') === true),
          ).toBe(true);
          expect(html).toContain("default-src 'none'");
        },
      ),
    );
  });

  it('shows what was said, and marks what was deleted', () => {
    const html = episodeHtml(
      told('one & two', { edits: [{ step: 0, kind: 'delete', msgIds: [0], stub: 'gone' }] }),
    );
    expect(html).toContain('<pre>one &amp; two</pre>');
    expect(html).toContain('deleted after step 0');
    expect(html).toContain('<pre>gone</pre>');
    expect(html).toContain('id="seen"');
    expect(episodeHtml(told('x'))).not.toContain('id="seen"');
  });

  it('draws images that stand in the record, and names others', () => {
    const png = 'data:image/png;base64,iVBORw0KGgo=';
    expect(pictured(png)).toContain(`src="${png}"`);
    expect(pictured('https://example.com/a.png')).not.toContain('<img');
    expect(pictured('data:image/svg+xml;base64,PHN2Zz4=')).not.toContain('<img');
  });
});

describe('many episodes', () => {
  const records = Array.from({ length: 120 }, (_, nth) => ({
    messages: [
      { role: 'user', content: `question ${nth}` },
      { role: 'assistant', content: 'answer' },
    ],
    reward: nth,
  }));

  async function opened(): Promise<ReturnType<typeof createIngest>> {
    const ingest = createIngest({ formats });
    const data = new Blob([records.map((each) => `${JSON.stringify(each)}\n`).join('')]);
    await ingest.open({ id: 'a', name: 'a', data }, () => undefined);
    return ingest;
  }

  const [rollscope] = exporters;
  const query = { sources: ['a'], sort: [{ column: 'reward', descending: true }], filter: 'reward >= 10' };

  it('are written in the order of the table, as far as the filter lets them', async () => {
    const states: Gathered[] = [];
    const blob = await gather(await opened(), query, (episode) => exportEpisode(episode, rollscope), {
      onState: (state) => states.push(state),
      isStopped: () => false,
    });
    const lines = ((await blob?.text()) ?? '').trimEnd().split('\n');
    const rewards = lines.map((line) => numberAt(at(JSON.parse(line), 'outcome'), 'reward'));
    expect(rewards).toEqual(Array.from({ length: 110 }, (_, nth) => 119 - nth));
    expect(states.at(-1)).toMatchObject({ done: 110, total: 110, unread: 0, losses: [] });
  });

  it('can be stopped', async () => {
    let written = 0;
    const stopped = await gather(
      await opened(),
      query,
      (episode) => {
        written += 1;
        return exportEpisode(episode, rollscope);
      },
      { onState: () => undefined, isStopped: () => written >= 3 },
    );
    expect(stopped).toBeUndefined();
    expect(written).toBe(3);
  });

  it('say what is lost, once for sentences that differ in their numbers only', async () => {
    let nth = 0;
    let last: Gathered | undefined;
    await gather(
      await opened(),
      query,
      () => ({
        text: '',
        losses: [`${++nth} ${nth === 1 ? 'edit is' : 'edits are'} left out.`, 'The error is left out.'],
      }),
      { onState: (state) => (last = state), isStopped: () => false },
    );
    expect(last?.losses.find(({ sentence }) => sentence === 'The error is left out.')?.episodes).toBe(110);
    expect(last?.losses.length).toBeLessThanOrEqual(3);
  });

  it('go on where one cannot be read any more', async () => {
    const ingest = await opened();
    let last: Gathered | undefined;
    const broken = {
      rows: (...asked: Parameters<typeof ingest.rows>) => ingest.rows(...asked),
      episode: async (ref: { source: string; episode: number }) => {
        if (ref.episode === 50) throw new Error('gone');
        return ingest.episode(ref);
      },
    };
    await gather(broken, query, (episode) => exportEpisode(episode, rollscope), {
      onState: (state) => (last = state),
      isStopped: () => false,
    });
    expect(last).toMatchObject({ done: 110, unread: 1 });
  });
});

it('every target writes any episode, and says what is lost in sentences', () => {
  fc.assert(
    fc.property(wholeEpisodes(), (episode) => {
      for (const { write } of targets) {
        const { text, losses } = write(episode);
        expect(text.endsWith('\n')).toBe(true);
        expect(losses.every((loss) => loss.endsWith('.'))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

it('a file is named so that no file system trips over it', () => {
  expect(fileName('task 17 · rollout 3', 'html')).toBe('task-17-rollout-3.html');
  expect(fileName('../../etc/passwd', 'md')).toBe('etc-passwd.md');
  expect(fileName('…', 'md')).toBe('episode.md');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      expect(fileName(title, 'x')).toMatch(/^\w[\w.-]{0,79}\.x$/);
    }),
  );
});
