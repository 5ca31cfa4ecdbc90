import { excerpt, stringAt, type Episode, type Gap } from '../../model';
import { inferredCalls } from '../chat/conversation';
import { episodeId, severalEpisodes } from '../episodes';
import type { SourceRecord } from '../format';
import { many, noTokenIds } from '../gaps';
import { titleFrom } from '../title';
import { historyOfLines } from './history';
import { countLines, lineConfidence, messageOf, sessionsIn, usageOf, type Session } from './lines';

/**
 * Sessions of Claude Code, one file each, as it keeps them under `~/.claude/projects`. Every line is an entry; all of a
 * `sessionId` are one conversation:
 *
 *     {"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"Hi"}}
 *     {"type":"assistant","uuid":"u2","parentUuid":"u1",…,"message":{"id":"msg_1","model":"…","content":[{"type":"tool_use",…}]}}
 *     {"type":"user","uuid":"u3","parentUuid":"u2",…,"message":{"content":[{"type":"tool_result","tool_use_id":"…",…}]}}
 *     {"type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto","preTokens":180000},…}
 *     {"type":"user","isCompactSummary":true,…}
 *     {"type":"summary","summary":"A title","leafUuid":"u3"}
 */
export const claudeCodeSession = severalEpisodes<Session>({
  id: 'claude_code_session',
  name: 'Claude Code session',
  unit: 'source',
  confidence(value) {
    if (!Array.isArray(value)) return lineConfidence(value);
    return value.slice(0, 16).reduce<number>((best, each) => Math.max(best, lineConfidence(each)), 0);
  },
  parts: (value) => sessionsIn(Array.isArray(value) ? value : [value]),
  read,
  counts: ({ lines }) => countLines(lines),
});

function read(record: SourceRecord, session: Session, nth: number): Episode {
  const { lines } = session;
  const { messages, steps, edits, unmarked } = historyOfLines(lines);
  const model = lines
    .map((line) => stringAt(messageOf(line), 'model'))
    .find((name) => name !== undefined && name !== '<synthetic>');
  const question = messages.find(
    ({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind === 'text'),
  );
  const text = question?.parts.find((part) => part.kind === 'text');
  return {
    id: episodeId(record, nth),
    format: 'claude_code_session',
    title: titleFrom(session.title ?? (text?.kind === 'text' ? text.text : undefined), 'Claude Code session'),
    ...(model === undefined ? {} : { model }),
    tools: [],
    messages,
    steps,
    edits,
    outcome: { components: {}, noReward: 'never-kept' },
    metrics: { lines: lines.length, ...aboutSession(session), ...usageOf(lines) },
    gaps: [...gapsOf(session), ...(unmarked > 0 ? [inferredCalls] : []), noTokenIds],
  };
}

function aboutSession({ id, lines }: Session): Record<string, string> {
  const about: Record<string, string> = id === '' ? {} : { session_id: id };
  for (const [key, name] of [
    ['version', 'version'],
    ['gitBranch', 'git_branch'],
  ] as const) {
    const found = lines.map(({ value }) => stringAt(value, key)).find((each) => (each ?? '') !== '');
    if (found !== undefined) about[name] = excerpt(found, 80);
  }
  return about;
}

function gapsOf({ strange }: Session): Gap[] {
  return [
    {
      about: 'views',
      reason:
        'The system prompt and the tools are not in this file: they stood before everything shown here.',
    },
    { about: 'reward', reason: 'A session has no reward.' },
    ...(strange === 0
      ? []
      : [
          {
            about: 'messages' as const,
            reason: `${many(strange, 'line')} of this file ${strange === 1 ? 'is' : 'are'} no entry of a session and ${strange === 1 ? 'was' : 'were'} left out.`,
          },
        ]),
  ];
}
