import { arrayAt, at, stringAt } from '../../model';
import { JsonAt } from '../json-at';
import type { Turn } from './conversation';

/**
 * Turns out of the ticks of a spoken run, in which both sides may talk at once:
 *
 *     { tick_id: 7, agent_chunk: { content: 'Let me' }, user_chunk: null, agent_tool_calls: [], agent_tool_results: [], ... }
 *
 * What one side says in ticks one after the other is one turn, as long as the other side says nothing.
 */
export function turnsOfTicks(ticks: readonly unknown[], base: string): Turn[] {
  const turns: Turn[] = [];
  let speech: { role: Side; texts: string[]; raw: string[]; utterance: string } | undefined;
  const flush = (): void => {
    if (speech === undefined) return;
    turns.push(turnOf({ role: speech.role, content: speech.texts.join('') }, speech.raw, speech.role));
    speech = undefined;
  };
  ticks.forEach((tick, nth) => {
    for (const [side, role] of sides) {
      const chunk = at(tick, `${side}_chunk`);
      const text = textOf(chunk, role === 'user' ? stringAt(tick, 'user_transcript') : undefined);
      const raw = `${base}/${nth}/${side}_chunk`;
      if (text !== '') {
        if (speech?.role !== role) flush();
        const utterance = (arrayAt(chunk, 'utterance_ids') ?? []).join();
        speech ??= { role, texts: [], raw: [], utterance };
        if (speech.utterance !== utterance) speech.texts.push(' ');
        speech.utterance = utterance;
        speech.texts.push(text);
        speech.raw.push(raw);
      }
      const calls = arrayAt(tick, `${side}_tool_calls`) ?? [];
      const results = arrayAt(tick, `${side}_tool_results`) ?? [];
      if (calls.length + results.length > 0) flush();
      if (calls.length > 0) {
        turns.push(
          turnOf({ role, content: null, tool_calls: calls }, [`${base}/${nth}/${side}_tool_calls`], role),
        );
      }
      results.forEach((result, place) => {
        turns.push(turnOf(result, [`${base}/${nth}/${side}_tool_results/${place}`], 'tool'));
      });
    }
  });
  flush();
  return turns;
}

type Side = 'assistant' | 'user';

const sides = [
  ['agent', 'assistant'],
  ['user', 'user'],
] as const;

/** What was spoken as text: of audio only its script. */
function textOf(chunk: unknown, transcript: string | undefined): string {
  const script = stringAt(chunk, 'audio_script_gold');
  if (script !== undefined) return script;
  if (at(chunk, 'is_audio') === true) return transcript ?? '';
  return stringAt(chunk, 'content') ?? '';
}

function turnOf(message: unknown, raw: string[], role: string): Turn {
  return { message: withRole(message, role), raw, json: new JsonAt(undefined), continues: true };
}

function withRole(message: unknown, role: string): unknown {
  return typeof message === 'object' && message !== null ? { ...message, role } : { role, content: message };
}
