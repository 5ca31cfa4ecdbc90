import { toolCallsOf, type Episode, type Message, type Part } from '../../model';
import { stringify } from '../raw-json';

/**
 * An episode as a line of OpenAI's chat format: the whole history, whatever was later deleted from the context, and the
 * tools. Thoughts stand in `reasoning_content`, as servers of open models have it, or between their tags in the text.
 */
export function writeOpenaiChat({ messages, tools }: Episode): string {
  return stringify({
    messages: messages.map(chatOf),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
  });
}

function chatOf(message: Message): object {
  const { role, roleLabel, parts, toolName, toolResultFor } = message;
  const calls = toolCallsOf(message);
  const thoughts = parts.flatMap((part) =>
    part.kind === 'reasoning' && part.form !== 'inline' ? [part.text] : [],
  );
  return {
    role: roleLabel ?? role,
    content: contentOf(parts),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.callId,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    ...(role === 'tool' ? { tool_call_id: toolResultFor?.[0], name: toolName } : {}),
  };
}

function contentOf(parts: readonly Part[]): unknown {
  const said = parts.filter(
    (part) =>
      part.kind !== 'call' && part.kind !== 'sealed' && (part.kind !== 'reasoning' || part.form === 'inline'),
  );
  if (said.length === 0) return null;
  const isSpoken = said.every((part) => part.kind === 'text' || part.kind === 'reasoning');
  const isTagged = said.some((part) => part.kind === 'reasoning');
  // Thoughts between tags were cut out of one text.
  if (said.length === 1 || (isSpoken && isTagged)) {
    const texts = said.flatMap((part) => ('text' in part && part.kind !== 'refusal' ? [part.text] : []));
    if (texts.length === said.length) return texts.join('');
  }
  return said.map(contentPart);
}

function contentPart(part: Part): unknown {
  switch (part.kind) {
    case 'image':
      return { type: 'image_url', image_url: { url: part.url, detail: part.detail } };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'unknown':
      return part.value;
    case 'text':
    case 'reasoning':
    case 'json':
      return { type: 'text', text: part.text };
    case 'call':
    case 'sealed':
      return { type: 'text', text: '' };
  }
}
