/** What the page of the environment server holds: the server that runs, and the clients with their cookies. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { mistakesOn, type Mistakes } from '../../gym';
import { holdHost, mountServer, serveOtherwise } from './host';
import { createTabServer, type ServedBy, type TabServer, type TabStoreKind } from './server';
import type { Host } from './worker';

interface Choices {
  store: TabStoreKind;
}

/** Remembered in this browser. */
export const useChoices = create<Choices>()(
  persist((): Choices => ({ store: 'memory' }), { name: 'rollscope.gym', version: 1 }),
);

export interface Client {
  readonly name: string;
  /** The `Cookie` header it sends, by environment. */
  readonly cookies: Readonly<Record<string, string>>;
}

interface Clients {
  list: readonly Client[];
  chosen: string;
}

/** Clients are the browser's, not the tab's: another tab that takes the same one is in the same session. */
export const useClients = create<Clients>()(
  persist((): Clients => ({ list: [{ name: 'Client 1', cookies: {} }], chosen: 'Client 1' }), {
    name: 'rollscope.gym.clients',
    version: 1,
  }),
);

export function addClient(): void {
  useClients.setState(({ list }) => {
    let number = list.length + 1;
    while (list.some(({ name }) => name === `Client ${number}`)) number += 1;
    const name = `Client ${number}`;
    return { list: [...list, { name, cookies: {} }], chosen: name };
  });
}

export const chooseClient = (chosen: string) => useClients.setState({ chosen });

export function removeClient(gone: string): void {
  useClients.setState(({ list }) => {
    const left = list.filter(({ name }) => name !== gone);
    const first = left[0] ?? { name: 'Client 1', cookies: {} };
    return { list: left.length === 0 ? [first] : left, chosen: first.name };
  });
}

export function keepCookie(client: string, environment: string, cookie: string): void {
  useClients.setState(({ list }) => ({
    list: list.map((one) =>
      one.name === client ? { ...one, cookies: { ...one.cookies, [environment]: cookie } } : one,
    ),
  }));
}

/** How many answered requests are kept for the chart. */
const KEPT = 80;

interface Running {
  server: TabServer;
  /** Undefined while it starts. */
  host: Host | undefined;
  /** The last requests, oldest first, and how many there were. */
  served: readonly ServedBy[];
  count: number;
  errors: number;
}

const onServed = (served: ServedBy): void =>
  useRunning.setState((state) => ({
    served: [...state.served.slice(1 - KEPT), served],
    count: state.count + 1,
    errors: state.errors + (served.status >= 400 ? 1 : 0),
  }));

export const useRunning = create<Running>()(() => ({
  server: createTabServer({ store: useChoices.getState().store, onServed }),
  host: undefined,
  served: [],
  count: 0,
  errors: 0,
}));

const change = (next: (server: TabServer) => TabServer): void =>
  useRunning.setState(({ server }) => ({ server: next(server) }));

export const restart = () => change((server) => server.restart());
export const setInstances = (count: number) => change((server) => server.withInstances(count));
export const setMistakes = (mistakes: Mistakes) => change((server) => server.withMistakes(mistakes));

export function setStore(store: TabStoreKind): void {
  useChoices.setState({ store });
  change((server) => {
    server.stop();
    return createTabServer({ store, instances: server.instances, mistakes: server.mistakes, onServed });
  });
}

serveOtherwise((request) => useRunning.getState().server.fetch(request));

const CHECKS_PATH = '/checks';
let checked: TabServer | undefined;

/** A server like the one that runs, with sessions of its own that go soon, for as long as `work` takes. */
export async function withCheckedServer<T>(work: (path: string) => Promise<T>): Promise<T> {
  const { server } = useRunning.getState();
  const own = createTabServer({
    store: server.store,
    instances: server.instances,
    mistakes: server.mistakes,
    forChecks: true,
  });
  checked?.stop();
  checked = own;
  const unmount = mountServer(CHECKS_PATH, (request) => own.fetch(request));
  try {
    return await work(CHECKS_PATH);
  } finally {
    unmount();
    own.stop();
    if (checked === own) checked = undefined;
  }
}

/** Another tab made or changed a client. */
const follow = (event: StorageEvent): void => {
  if (event.key === 'rollscope.gym.clients') void useClients.persist.rehydrate();
};

/** Opens the way to the server while the page is shown; the service worker sees no other request of this tab. */
export function attach(): () => void {
  const { opened, release } = holdHost();
  let left = false;
  void opened.then((host) => {
    if (!left) useRunning.setState({ host });
  });
  window.addEventListener('storage', follow);
  return () => {
    left = true;
    window.removeEventListener('storage', follow);
    useRunning.setState({ host: undefined });
    release();
  };
}

export function useMistakesOn() {
  return mistakesOn(useRunning(({ server }) => server.mistakes));
}
