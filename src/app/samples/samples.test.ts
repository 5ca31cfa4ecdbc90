import { describe, expect, it } from 'vitest';
import { detectFormat, type SourceRecord } from '../../formats';
import { compareView, lintEpisode, messageText, partText, sizesOf, type Episode } from '../../model';
import { samples, type Sample } from './index';

interface Lines {
  records: SourceRecord[];
  /** Numbers of the lines that do not parse. */
  bad: number[];
}

const known = new Map<Sample, Promise<Lines>>();

function read(sample: Sample): Promise<Lines> {
  const lines = known.get(sample) ?? sample.load().then(linesOf);
  known.set(sample, lines);
  return lines;
}

function linesOf(content: string): Lines {
  const lines = content.trimEnd().split('\n');
  const records: SourceRecord[] = [];
  const bad: number[] = [];
  lines.forEach((text, at) => {
    try {
      const value: unknown = JSON.parse(text);
      records.push({ value, text, index: records.length, line: at + 1 });
    } catch {
      bad.push(at + 1);
    }
  });
  return { records, bad };
}

function sampleById(id: string): Sample {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample ${id}`);
  return sample;
}

async function episodesOf(id: string): Promise<Episode[]> {
  const { records } = await read(sampleById(id));
  return records.map((record) => {
    const format = detectFormat(record.value);
    if (format === undefined) throw new Error(`line ${record.line} of ${id} has no format`);
    return format.episode(record, 0);
  });
}

const rewards = (episodes: Episode[]): (number | undefined)[] =>
  episodes.map(({ outcome }) => outcome.reward);
const steps = (episodes: Episode[]): number[] => episodes.map((episode) => episode.steps.length);
const findings = (episode: Episode | undefined): string[] =>
  episode === undefined ? [] : lintEpisode(episode).map(({ rule }) => rule);
const texts = (episode: Episode | undefined): string[] => (episode?.messages ?? []).map(messageText);

describe.each(samples)('sample $id', (sample) => {
  it('is the same every time', async () => {
    expect(await sample.load()).toBe(await sample.load());
  });

  it('is read line by line, in one format', async () => {
    const { records } = await read(sample);
    const formats = new Set(records.map(({ value }) => detectFormat(value)?.id));
    const isStatelm = sample.fileName.startsWith('logbook_');
    expect([...formats]).toEqual([isStatelm ? 'statelm_agentdata' : 'nemo_gym_rollout']);
  });

  it('has no line that does not parse, unless that is the point', async () => {
    expect((await read(sample)).bad).toEqual(sample.id === 'broken' ? [3, 5, 7] : []);
  });

  it('has a name and a line about it that fit on a card', () => {
    expect(sample.title.length).toBeLessThan(40);
    expect(sample.shows.length).toBeLessThan(130);
    expect(sample.fileName).toMatch(/^[a-z_]+\.jsonl$/);
  });
});

describe('counter', () => {
  it('has two tasks of four rollouts, rewarded 0 or 1', async () => {
    const episodes = await episodesOf('counter');
    expect(episodes.map(({ task }) => `${task?.key}:${task?.rollout}`)).toEqual([
      '0:0',
      '0:1',
      '0:2',
      '0:3',
      '1:0',
      '1:1',
      '1:2',
      '1:3',
    ]);
    expect(rewards(episodes)).toEqual([1, 0, 1, 0, 1, 0, 0, 1]);
    expect(steps(episodes)).toEqual([4, 6, 3, 3, 4, 4, 3, 5]);
  });

  it('loses the session of one rollout: the value starts again from 0', async () => {
    const counts = (await episodesOf('counter')).map((episode) =>
      texts(episode).flatMap((text) => /^\{"count": (\d+)\}$/.exec(text)?.[1] ?? []),
    );
    expect(counts).toEqual([['9'], ['3', '7', '2'], ['9'], [], ['22'], ['27'], ['22'], ['10', '22']]);
  });

  it('leaves one call without a result', async () => {
    const found = (await episodesOf('counter')).map(findings);
    expect(found).toEqual([[], [], [], [], [], ['dangling-call'], [], []]);
  });
});

const errors = (episode: Episode | undefined): number =>
  texts(episode).filter((text) => text.includes('"error"') || text.includes('"documents":[]')).length;

describe('research', () => {
  it('has four rollouts of one task with four rewards', async () => {
    const episodes = await episodesOf('research');
    expect(new Set(episodes.map(({ task }) => task?.key)).size).toBe(1);
    expect(rewards(episodes)).toEqual([0.6, 0, 1, 0.2]);
    expect(steps(episodes)).toEqual([8, 6, 15, 6]);
    expect(episodes.flatMap(findings)).toEqual([]);
  });

  it('finds what it looks for, but for the rollout that is lost', async () => {
    const [first, lost, careful, hasty] = await episodesOf('research');
    expect([first, careful, hasty].map(errors)).toEqual([0, 0, 0]);
    expect(errors(lost)).toBe(5);
    expect(lost?.steps.at(-1)?.unfinished).toBe('max_output_tokens');
  });

  it('computes the numbers that its answer gives', async () => {
    const all = texts((await episodesOf('research'))[2]);
    const answer = all.at(-1) ?? '';
    for (const change of ['-20.1', '-35.6', '-39.6', '-2.1', '-20.8']) {
      expect(all).toContain(change);
      expect(answer).toContain(change);
    }
  });

  it('holds reasoning in all its forms, and Markdown', async () => {
    const episodes = await episodesOf('research');
    const forms = episodes.map((episode) => [
      ...new Set(
        episode.messages.flatMap(({ parts }) =>
          parts.flatMap((part) =>
            part.kind === 'reasoning' ? [part.form] : part.kind === 'sealed' ? ['sealed'] : [],
          ),
        ),
      ),
    ]);
    expect(forms).toEqual([['summary'], ['sealed'], ['summary'], ['inline']]);
    expect(texts(episodes[2]).at(-1)).toMatch(/\|---.*```python/s);
  });
});

describe('vision', () => {
  it('shows a new picture after every click', async () => {
    const episodes = await episodesOf('vision');
    expect(rewards(episodes)).toEqual([1, 0, 1, 0]);
    expect(steps(episodes)).toEqual([4, 6, 6, 3]);
    for (const episode of episodes) {
      const images = episode.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'image' ? [part.url] : [])),
      );
      const clicks = episode.messages.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'call'));
      expect(images.length).toBe(clicks.length + 1);
      for (const url of images) expect(url).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
      const turns = episode.messages.filter(
        ({ role, origin }) => role === 'user' && origin === 'environment',
      );
      expect(turns.length).toBe(clicks.length);
    }
  });

  it('rewards exactly those whose last picture is dark', async () => {
    const isDark = (await episodesOf('vision')).map((episode) =>
      texts(episode).some((text) => text.startsWith('All lamps are off.\n')),
    );
    expect(isDark).toEqual([true, false, true, false]);
  });
});

describe('components', () => {
  it('has rewards of four parts, negative ones, and one that is missing', async () => {
    const episodes = await episodesOf('components');
    expect(rewards(episodes)).toEqual([1.48, 0.5, 1.25, 1.46, -1.8, undefined, 1.49, -0.75, 1.47, 0.25]);
    expect(episodes.map(({ outcome }) => Object.keys(outcome.components).length)).toEqual([
      4, 4, 4, 4, 4, 0, 4, 4, 4, 4,
    ]);
  });

  it('has metrics of every type, under names with slashes and spaces', async () => {
    const { metrics } = (await episodesOf('components'))[0] ?? { metrics: {} };
    expect(metrics).toMatchObject({
      is_correct: true,
      difficulty: 'easy',
      'time/total s': 14.2,
      'shell/commands run': 1,
    });
  });

  it('gives lint something to say', async () => {
    expect((await episodesOf('components')).map(findings)).toEqual([
      [],
      [],
      ['reward-not-sum-of-components'],
      ['shared-result'],
      [],
      ['reward-missing', 'dangling-call'],
      [],
      ['arguments-not-json'],
      ['duplicate-call-id', 'duplicate-call-id'],
      [],
    ]);
  });
});

describe('broken', () => {
  it('opens with its seven good rollouts', async () => {
    const episodes = await episodesOf('broken');
    expect(rewards(episodes)).toEqual([1, 1, 1, 0, 1, 0, 1]);
    expect(steps(episodes)).toEqual([2, 2, 2, 0, 2, 1, 2]);
  });

  it('has reasoning that cannot be read', async () => {
    const sealed = (await episodesOf('broken')).flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'sealed')),
    );
    expect(sealed.length).toBe(2);
  });
});

describe('tokens', () => {
  it('has token ids and log-probabilities for every model call', async () => {
    for (const episode of await episodesOf('tokens')) {
      for (const { tokens } of episode.steps) {
        expect(tokens?.generationIds.length).toBeGreaterThan(0);
        expect(tokens?.logprobs?.length).toBe(tokens?.generationIds.length);
      }
    }
  });

  it('starts every prompt with the call before it, but for the one that was rewritten', async () => {
    const breaks = (await episodesOf('tokens')).map(({ steps }) =>
      steps.flatMap(({ index, tokens }) => {
        const before = steps[index - 1]?.tokens;
        if (before === undefined || tokens === undefined) return [];
        const expected = [...before.promptIds, ...before.generationIds];
        return expected.every((id, at) => tokens.promptIds[at] === id) ? [] : [index];
      }),
    );
    expect(breaks).toEqual([[], [], [2], []]);
  });
});

describe('large', () => {
  it('has eight rollouts for each of 250 tasks, in no order', async () => {
    const { records } = await read(sampleById('large'));
    const summaries = records.flatMap((record) => detectFormat(record.value)?.summarise(record) ?? []);
    const keys = summaries.map(({ task }) => `${task?.key}:${task?.rollout}`);
    expect(summaries.length).toBe(2000);
    expect(new Set(keys).size).toBe(2000);
    expect(new Set(summaries.map(({ task }) => task?.key)).size).toBe(250);
    expect(keys.slice(0, 3)).not.toEqual(['0:0', '0:1', '0:2']);
  });

  it('rewards the right answers, and has tasks that are solved always, sometimes and never', async () => {
    const solved = new Map<string, number>();
    for (const { outcome, metrics, task } of await episodesOf('large')) {
      const isRight = metrics['expected_answer'] === metrics['extracted_answer'];
      expect(outcome.reward).toBe(isRight ? 1 : 0);
      solved.set(task?.key ?? '', (solved.get(task?.key ?? '') ?? 0) + (outcome.reward ?? 0));
    }
    const times = new Set(solved.values());
    expect(times.has(0) && times.has(4) && times.has(8)).toBe(true);
  });
});

it('no sample has text that would surprise a reader: only what can be printed', async () => {
  for (const sample of samples) {
    for (const episode of sample.id === 'large' ? [] : await episodesOf(sample.id)) {
      for (const part of episode.messages.flatMap(({ parts }) => parts)) {
        expect(partText(part)).not.toMatch(/undefined|NaN|\[object/);
      }
    }
  }
});

const agreement = (episode: Episode): unknown[] =>
  episode.steps.map(({ index }) => compareView(episode, index));
const trained = (episode: Episode): (number | undefined)[] =>
  (episode.samples ?? []).map((sample) => sizesOf(sample)?.trained);

describe('the logbook', () => {
  it('is read with three deletes, into four samples that train every turn', async () => {
    const [episode] = await episodesOf('deletes');
    if (episode === undefined) throw new Error('no episode');
    expect(episode.edits.map(({ step, msgIds }) => [step, msgIds])).toEqual([
      [1, [2]],
      [4, [5, 6]],
      [7, [12]],
    ]);
    expect(episode.notes?.map(({ key }) => key)).toEqual(['schooner', 'alma']);
    expect(new Set(agreement(episode))).toEqual(new Set(['agrees']));
    expect(trained(episode)).toHaveLength(4);
    expect(trained(episode).every((count) => count !== undefined && count > 0)).toBe(true);
    expect(lintEpisode(episode).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  it('is deleted at once, so that the mask outgrows what is left', async () => {
    const [episode] = await episodesOf('outgrown');
    if (episode === undefined) throw new Error('no episode');
    expect(new Set(agreement(episode))).toEqual(new Set(['agrees']));
    expect(trained(episode).at(-1)).toBe(0);
    expect(findings(episode)).toContain('sample-trains-nothing');
    expect(findings(episode)).toContain('tail-misaligned');
  });
});
