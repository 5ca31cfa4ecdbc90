import type { Episode } from '../episode';
import type { Exchange } from '../exchange';
import { isObject } from '../record';
import { sessionBreak } from '../state';
import { excerpt, valueJson } from '../text';
import type { Finding, Place, Rule } from './finding';

/** What the environment's server kept for the episode. Silent where no exchange is recorded. */

const sessionChanged: Rule = {
  id: 'session-changed',
  severity: 'error',
  explanation:
    'Exchanges of one episode reached different sessions of the server: the cookie was lost, replaced or not accepted. What ' +
    'the policy did before is gone for the server, and the reward is that of another state. Look whether every client of ' +
    'the run keeps its own cookies, and whether the server keeps its secret over a restart.',
  check(episode) {
    const exchanges = episode.exchanges ?? [];
    const found = sessionBreak(exchanges);
    if (found === undefined) return [];
    const names = [found.before, found.after].filter((name) => name !== undefined);
    const change = names.length === 2 ? ` (${names.map((name) => excerpt(name, 12)).join(' → ')})` : '';
    return [
      { message: `${excerpt(found.reason, 300)}${change}`, ...placeOf(episode, exchanges[found.exchange]) },
    ];
  },
};

const seedNotKept: Rule = {
  id: 'seed-not-kept',
  severity: 'error',
  explanation:
    'The state after seeding has another value than the seed asked for: the server ignored it, mixed up two sessions, or ' +
    'kept what an earlier episode left. Everything that follows starts from the wrong place.',
  check(episode) {
    const seed = episode.exchanges?.findLast(({ purpose }) => purpose === 'seed');
    const state = episode.states?.findLast(({ step }) => step < 0);
    if (seed === undefined || !isObject(state?.value)) return [];
    const asked = parsedObject(seed.request.body);
    return Object.entries(asked).flatMap(([key, value]): Place[] => {
      // `initial_count` seeds `count`.
      const name = key.replace(/^(?:initial|seed|start)_/, '');
      const kept = isObject(state.value) && Object.hasOwn(state.value, name) ? state.value[name] : undefined;
      if (kept === undefined || !isScalar(value) || !isScalar(kept) || kept === value) return [];
      return [
        {
          message: `The seed set ${excerpt(key, 40)} to ${shown(value)}, and the state has ${excerpt(name, 40)} ${shown(kept)}`,
          ...placeOf(episode, seed),
        },
      ];
    });
  },
};

const verifyElsewhere: Rule = {
  id: 'verify-in-other-session',
  severity: 'error',
  explanation:
    'The verifier ran in another session than the tools: it judged a state that this episode did not make. The reward says ' +
    'nothing about the policy. Send the verification with the cookie of the episode.',
  check(episode) {
    const exchanges = episode.exchanges ?? [];
    const verify = exchanges.findLast(
      ({ purpose, session }) => purpose === 'verify' && session !== undefined,
    );
    const tool = exchanges.findLast(({ purpose, session }) => purpose === 'call' && session !== undefined);
    if (verify?.session === undefined || tool?.session === undefined || verify.session === tool.session)
      return [];
    return [
      {
        message: `Verified in session ${excerpt(verify.session, 12)}, while the tools ran in ${excerpt(tool.session, 12)}`,
        ...placeOf(episode, verify),
      },
    ];
  },
};

export const sessionRules: readonly Rule[] = [sessionChanged, seedNotKept, verifyElsewhere];

/** A session of the server, and the step at which it first answered for an episode. */
export interface UsedSession {
  session: string;
  step?: number;
}

/** Each session once. */
export function sessionsOf(episode: Episode): UsedSession[] {
  const used = new Map<string, UsedSession>();
  for (const exchange of episode.exchanges ?? []) {
    const { session } = exchange;
    if (session !== undefined && !used.has(session)) {
      used.set(session, { session, ...placeOf(episode, exchange) });
    }
  }
  return [...used.values()];
}

export const sessionSharedRule = 'session-shared';

const shared = {
  rule: sessionSharedRule,
  severity: 'error',
  explanation:
    'Two episodes were answered by the same session of the server: what one did, the other saw. Rollouts that run side by ' +
    'side must each start without a cookie and keep the one they are given.',
} as const;

/** The one rule that no episode breaks alone. `other` names one that used the session, too: `episode 3 of run.jsonl`. */
export function sessionShared({ session, ...place }: UsedSession, other: string): Finding {
  return { ...shared, message: `Session ${excerpt(session, 12)} was used by ${other}, too`, ...place };
}

function placeOf({ steps }: Episode, exchange: Exchange | undefined): Pick<Place, 'step'> {
  // The seed is the first step's beginning.
  const step = Math.max(exchange?.step ?? 0, 0);
  return step < steps.length ? { step } : {};
}

function parsedObject(body: string | undefined): object {
  try {
    const parsed: unknown = JSON.parse(body ?? '');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}

function shown(value: unknown): string {
  return excerpt(valueJson(value), 40);
}
