import type { Episode, Message, Part } from './episode';
import { valueJson } from './text';

/** An episode as a Markdown document, for reports and chats. */
export function episodeMarkdown(episode: Episode): string {
  const { outcome } = episode;
  const head = [
    `# ${episode.title}`,
    '',
    `- format: ${episode.format}`,
    ...(episode.model === undefined ? [] : [`- model: ${episode.model}`]),
    `- reward: ${outcome.reward ?? 'none recorded'}`,
    ...(outcome.termination === undefined ? [] : [`- ended: ${outcome.termination}`]),
    `- steps: ${episode.steps.length}`,
  ];
  return `${[...head, ...episode.messages.map(messageMarkdown)].join('\n')}\n`;
}

export function messageMarkdown(message: Message): string {
  const step = message.origin === 'prompt' || message.bornAtStep < 0 ? '' : `, step ${message.bornAtStep}`;
  const title = `## ${message.roleLabel ?? message.role} (message ${message.msgId}${step})`;
  return ['', title, ...message.parts.flatMap((part) => ['', partMarkdown(part)])].join('\n');
}

function partMarkdown(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'reasoning':
      return part.text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'sealed':
      return `> (encrypted reasoning, ${part.bytes} bytes)`;
    case 'call':
      return `**${part.call.name}**\n\n${fenced(part.call.arguments, 'json')}`;
    case 'json':
      return fenced(part.text, 'json');
    case 'image':
      return '(image)';
    case 'unknown':
      return `(${part.type})\n\n${fenced(valueJson(part.value, 2), 'json')}`;
  }
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  let length = 3;
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1);
  const fence = '`'.repeat(length);
  return `${fence}${language}\n${text}\n${fence}`;
}
