/** The servers that runs talk to: one for each run in this tab, or any other by its address. */
import { createGym, indexedDbStore, memoryStore, type Environment, type Mistakes } from '../../gym';
import { proxyTransport, remoteServer, statesOf, type LiveServer } from '../../live';
import { holdHost, mountServer } from '../gym/host';
import { mistakesOf } from '../gym/sideBySide';
import { localServerToken } from '../opening/served';
import { noteServer } from './reached';
import type { Setup } from './setup';

/** Where a run's server is, as it is kept with the run. */
export type ServerChoice = Pick<Setup, 'server' | 'serverUrl' | 'store' | 'mistakes'>;

export async function serverFor(
  id: string,
  environment: Environment,
  choice: ServerChoice,
): Promise<LiveServer> {
  const mistakes: Mistakes = Object.assign({}, ...choice.mistakes.map(mistakesOf));
  if (choice.server === 'url') {
    const token = localServerToken();
    if (token === undefined) {
      throw new Error(
        'A server at an address is reached through Rollscope’s local server, and this page was not opened by one.',
      );
    }
    return noteServer(
      remoteServer(choice.serverUrl, proxyTransport(document.baseURI, token), {
        environment,
        dropCookies: mistakes.drop_cookies === true,
      }),
    );
  }
  const gym = createGym({
    environments: environment,
    store: choice.store === 'memory' ? memoryStore() : indexedDbStore({ name: 'rollscope-gym-runs' }),
    mistakes,
  });
  const path = `/run-${id}`;
  mountServer(path, (request) => gym.fetch(request));
  // Held as long as the page lives: a run can be taken up again at any time.
  const host = await holdHost().opened;
  return noteServer({
    label: `${environment.name}, in this tab`,
    baseUrl: `${host.baseUrl}${path}`,
    transport: host.transport,
    environment,
    states: statesOf(gym, environment.name),
    mistakes,
  });
}
