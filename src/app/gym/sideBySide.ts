/** The same script on two servers, one with a mistake; both in the circumstances under which the mistake shows. */
import {
  createGym,
  createGymClient,
  directTransport,
  firstDifference,
  memoryStore,
  playScript,
  type Environment,
  type GymClient,
  type MistakeName,
  type Mistakes,
  type Played,
  type Script,
  type Transport,
} from '../../gym';

export interface SideBySide {
  readonly without: Played;
  readonly with: Played;
  /** Index of the first exchange that differs; undefined where none does. */
  readonly differsAt: number | undefined;
}

/** A mistake may stay hidden in a quiet run. What happens around the script, on both servers alike. */
export const CIRCUMSTANCES: Readonly<Record<MistakeName, string>> = {
  global_state: 'Meanwhile a neighbour seeds and changes a session of their own.',
  assume_state: 'The seed never reaches the server.',
  seed_setdefault: 'The same client has played the script once before.',
  drop_cookies: 'Nothing else happens.',
  lost_update: 'Every tool call is sent twice at the same time.',
  slow: 'Nothing else happens. The answers are the same and come later.',
  flaky: 'Nothing else happens. Half of the requests fail, others in every run.',
};

export const AMOUNTS = { slow: 150, flaky: 0.5 } as const;

export function mistakesOf(name: MistakeName): Mistakes {
  if (name === 'slow') return { slow: AMOUNTS.slow };
  if (name === 'flaky') return { flaky: AMOUNTS.flaky };
  return { [name]: true };
}

export async function playSideBySide(
  environment: Environment,
  script: Script,
  mistake: MistakeName,
): Promise<SideBySide> {
  const [without, mistaken] = await Promise.all([
    play(environment, script, mistake, {}),
    play(environment, script, mistake, mistakesOf(mistake)),
  ]);
  return { without, with: mistaken, differsAt: firstDifference(without.exchanges, mistaken.exchanges) };
}

async function play(
  environment: Environment,
  script: Script,
  circumstance: MistakeName,
  mistakes: Mistakes,
): Promise<Played> {
  const gym = createGym({ environments: environment, store: memoryStore(), mistakes });
  const plain = directTransport((request) => gym.fetch(request));
  const newClient = (transport: Transport): GymClient =>
    createGymClient({
      baseUrl: 'http://tab.invalid',
      transport,
      dropCookies: mistakes.drop_cookies === true,
    });
  switch (circumstance) {
    case 'global_state':
      return playScript(
        newClient(besideNeighbour(plain, environment, newClient(plain))),
        environment,
        script,
      );
    case 'assume_state':
      return playScript(newClient(withoutSeed(plain)), environment, script);
    case 'lost_update':
      return playScript(newClient(twice(plain)), environment, script);
    case 'seed_setdefault': {
      const client = newClient(plain);
      await playScript(client, environment, script);
      return playScript(client, environment, script);
    }
    case 'drop_cookies':
    case 'slow':
    case 'flaky':
      return playScript(newClient(plain), environment, script);
  }
}

function besideNeighbour(plain: Transport, { checklist }: Environment, neighbour: GymClient): Transport {
  return async (request) => {
    const answer = await plain(request);
    if (checklist.stateful && request.url.endsWith('/seed_session')) {
      await neighbour.seed(checklist.otherSeed);
      await neighbour.post(checklist.write.path, checklist.write.body);
    }
    return answer;
  };
}

function withoutSeed(plain: Transport): Transport {
  return async (request) =>
    request.url.endsWith('/seed_session')
      ? { status: 200, headers: [], setCookie: [], body: '{}' }
      : plain(request);
}

function twice(plain: Transport): Transport {
  return async (request) => {
    if (/\/(seed_session|verify)$/.test(request.url)) return plain(request);
    const [answer] = await Promise.all([plain(request), plain(request)]);
    return answer;
  };
}
