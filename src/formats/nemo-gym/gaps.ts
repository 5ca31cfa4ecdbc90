import { at, isObject } from '../../model';
import type { PlacedGap } from '../gaps';
import { isByModel, isSealed, type Entry } from './items';
import type { Trouble } from './snapshots';
import type { Timeline } from './timeline';
import { tokenState } from './tokens';

/** What a rollout's record cannot show, but for its reward and what does not come in pairs. */
export function rolloutGaps(value: unknown, timeline: Timeline): PlacedGap[] {
  const { entries, troubles } = timeline;
  return [
    ...inputGaps(at(value, 'responses_create_params'), entries),
    ...outputGaps(value, entries),
    ...givenGaps(entries),
    ...reasoningGaps(entries),
    ...[...troubles].map((trouble) => ({ about: 'views' as const, reason: troubleReasons[trouble] })),
    ...tokenGaps(entries),
    {
      about: 'state',
      reason:
        "This file does not hold the server's session state: only what the tools returned shows something of it.",
    },
  ];
}

/** Agents that work on a repository are given the task another way, and leave `input` empty. */
function inputGaps(params: unknown, entries: readonly Entry[]): PlacedGap[] {
  const [first] = entries;
  if (first !== undefined && first.origin !== 'policy') return [];
  const hint =
    sizeOf(at(params, 'metadata')) > 0 ? ' The metadata of the request may say it: see the raw record.' : '';
  return [
    { about: 'messages', reason: `The request is empty: it does not show what the policy was asked.${hint}` },
  ];
}

/** Where agents leave what they did, if not in the output. */
const elsewhere = ['model_patch', 'trajectory', 'messages', 'all_attempts', 'delegated_response', 'result'];

function outputGaps(value: unknown, entries: readonly Entry[]): PlacedGap[] {
  if (entries.some(({ origin }) => origin !== 'prompt')) return [];
  const output = at(at(value, 'response'), 'output');
  const what = Array.isArray(output)
    ? 'The output of this record is empty'
    : 'This record has no list of outputs';
  const places = elsewhere.filter((key) => sizeOf(at(value, key)) > 0);
  const hint = places.length === 0 ? '' : ` What the policy made is in ${places.join(', ')}.`;
  return [{ about: 'messages', reason: `${what}: it does not show what the policy did.${hint}` }];
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : 0;
}

function givenGaps(entries: readonly Entry[]): PlacedGap[] {
  const first = entries.find((entry) => entry.origin === 'prompt' && isByModel(entry));
  if (first === undefined) return [];
  return [
    {
      about: 'messages',
      at: first.raw,
      reason:
        'The request holds turns of an assistant. The file does not tell whether this policy made them, so they are shown as given and are not steps.',
    },
  ];
}

function reasoningGaps(entries: readonly Entry[]): PlacedGap[] {
  const sealed = entries.filter(({ kind, item }) => kind === 'reasoning' && isSealed(item));
  const [first] = sealed;
  if (first === undefined) return [];
  const [have, their] =
    sealed.length === 1 ? ['reasoning item has', 'its'] : ['reasoning items have', 'their'];
  return [
    {
      about: 'reasoning',
      at: first.raw,
      reason: `${sealed.length} ${have} no text: the provider kept ${their} content, or encrypted it.`,
    },
  ];
}

const troubleReasons: Record<Trouble, string> = {
  'unrelated snapshot':
    'A snapshot of the context has nothing in common with the one before it, and is shown as its continuation.',
  'part of a turn gone':
    'Later snapshots leave out parts of earlier turns (their reasoning, say); the views still show them.',
  'turn rewritten':
    'Later snapshots hold a turn of the policy in other words; the views show what it first said.',
  'item inserted':
    'Later snapshots hold something before what was there already; the views show it where it first appears.',
  'stub rewritten': 'A placeholder was changed a second time; the views show its first text.',
  'edit before the first call':
    'The context was changed before the first model call; the views do not show it.',
  'first state collapsed':
    'The first observation is recorded as its placeholder only: what the first model call saw of it is not in this file.',
};

function tokenGaps(entries: readonly Entry[]): PlacedGap[] {
  const made = entries.filter(({ origin }) => origin === 'policy');
  if (made.length === 0) return [];
  const states = made.map(({ item }) => tokenState(item));
  const broken = made[states.indexOf('broken')];
  if (broken !== undefined) {
    return [
      { about: 'tokens', at: broken.raw, reason: 'Token ids are there that are not all whole numbers.' },
    ];
  }
  if (!states.includes('readable')) {
    return [{ about: 'tokens', reason: 'This record has no token ids: masks cannot be shown.' }];
  }
  return [];
}
