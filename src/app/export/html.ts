import {
  notesAt,
  partText,
  valueJson,
  viewAt,
  type Episode,
  type Message,
  type Part,
  type ViewEntry,
} from '../../model';
import { imageSource } from '../episode/messages/images';
import { style } from './html-style';

/**
 * An episode as one HTML file to be read anywhere: no script, nothing fetched, and a policy that allows neither. All text
 * of the episode is escaped. Folding is done by the browser's own `details`, the choice of the view by a checkbox.
 */
export function episodeHtml(episode: Episode): string {
  const end = viewAt(episode, episode.steps.length);
  const fates = new Map(end.map((entry) => [entry.message.msgId, entry]));
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(episode.title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<header><h1>${escaped(episode.title)}</h1>${factList(episode)}</header>`,
    '<main>',
    ...(episode.edits.length === 0
      ? []
      : [
          '<label class="choice"><input type="checkbox" id="seen"> Only what the context held at the end</label>',
        ]),
    ...history(episode, fates),
    ...noteSection(episode),
    ...metricSection(episode),
    ...gapSection(episode),
    '</main>',
    '<footer>Exported by Rollscope. Text of the episode is shown as it was recorded.</footer>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function factList({ format, model, task, outcome, steps, messages, edits }: Episode): string {
  const facts: [string, string | number | undefined][] = [
    ['Format', format],
    ['Model', model],
    ['Task', task?.key],
    ['Rollout', task?.rollout],
    ['Reward', outcome.reward ?? 'none'],
    ['Verdict', outcome.verdict],
    ['Ended', outcome.termination],
    ['Error', outcome.error],
    ['Steps', steps.length],
    ['Messages', messages.length],
    ['Context edits', edits.length],
  ];
  return definitions(facts);
}

function definitions(facts: readonly (readonly [string, string | number | boolean | undefined])[]): string {
  const rows = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`<div><dt>${escaped(name)}</dt><dd>${escaped(String(value))}</dd></div>`],
  );
  return `<dl>${rows.join('')}</dl>`;
}

function history(episode: Episode, fates: ReadonlyMap<number, ViewEntry>): string[] {
  const lines: string[] = [];
  let step = -1;
  if (episode.messages.some(({ bornAtStep }) => bornAtStep < 0)) lines.push('<h2>Given</h2>');
  for (const message of episode.messages) {
    if (message.bornAtStep > step) {
      step = message.bornAtStep;
      const unfinished = episode.steps[step]?.unfinished;
      const how = unfinished === undefined ? '' : ` <small>cut off: ${escaped(unfinished)}</small>`;
      lines.push(`<h2 id="step-${step}">Step ${step}${how}</h2>`);
    }
    lines.push(article(message, fates.get(message.msgId)));
  }
  return lines;
}

function article(message: Message, fate: ViewEntry | undefined): string {
  const { msgId, role, roleLabel, toolName, parts } = message;
  const tool = toolName === undefined ? '' : ` · ${toolName}`;
  const head = `<h3>${escaped(`${roleLabel ?? role}${tool}`)} <small>message ${msgId}</small></h3>`;
  const body = parts.map(partHtml).join('\n');
  const inferred = message.inferredFrom === undefined ? '' : ' <small>role inferred</small>';
  if (fate === undefined || fate.state === 'verbatim') {
    return `<article data-role="${role}">${head}${inferred}${body}</article>`;
  }
  const what = fate.state === 'stub' ? 'deleted' : 'taken out';
  const original = `<details class="original"><summary>${what} after step ${fate.edit.step}: the original</summary>${body}</details>`;
  const stub = fate.state === 'stub' && fate.edit.stub !== undefined ? text(fate.edit.stub) : '';
  return `<article data-role="${role}" data-fate="${fate.state}">${head}${stub}${original}</article>`;
}

function partHtml(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
    case 'json':
      return text(part.text);
    case 'reasoning':
      return `<details><summary>${part.form === 'summary' ? 'thoughts, in short' : 'thoughts'}</summary>${text(part.text)}</details>`;
    case 'sealed':
      return `<p class="quiet">${escaped(partText(part))}</p>`;
    case 'call':
      return `<p class="call">${escaped(part.call.name)} <small>${escaped(part.call.callId)}</small></p>${text(part.call.arguments)}`;
    case 'image':
      return image(part.url);
    case 'unknown':
      return `<p class="quiet">${escaped(part.type)}</p>${text(valueJson(part.value, 2))}`;
  }
}

function text(said: string): string {
  return said === '' ? '' : `<pre>${escaped(said)}</pre>`;
}

/** Only what stands in the record itself is drawn: the file must not ask for anything. */
function image(url: string): string {
  const source = imageSource(url);
  if (source.kind === 'inline') return `<img alt="image" src="${escaped(source.src)}">`;
  return `<p class="quiet">image: ${escaped(source.kind === 'remote' ? source.url : source.what)}</p>`;
}

function section(title: string, body: string): string[] {
  return [`<section><h2>${title}</h2>${body}</section>`];
}

function noteSection(episode: Episode): string[] {
  if ((episode.notes ?? []).length === 0) return [];
  const notes = [...notesAt(episode, episode.steps.length)].map(
    ([key, { summary, content }]) => `<h3>${escaped(key)}</h3>${text(summary)}${text(content)}`,
  );
  return section('Notes at the end', notes.join('\n'));
}

function metricSection({ metrics, outcome }: Episode): string[] {
  const entries = [...Object.entries(outcome.components), ...Object.entries(metrics)];
  return entries.length === 0 ? [] : section('Numbers', definitions(entries));
}

function gapSection({ gaps }: Episode): string[] {
  if (gaps.length === 0) return [];
  return section(
    'What the source cannot show',
    `<ul>${gaps.map(({ reason }) => `<li>${escaped(reason)}</li>`).join('')}</ul>`,
  );
}
