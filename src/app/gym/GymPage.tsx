import { Tabs } from '@base-ui/react/tabs';
import { useEffect } from 'react';
import { environmentNamed, environments, MISTAKES, type Environment } from '../../gym';
import { Button, join } from '../controls/Button';
import { Notice } from '../controls/Notice';
import { TabStrip } from '../controls/TabStrip';
import { usePlace, goTo } from '../place/usePlace';
import { Checklist } from './Checklist';
import { Console } from './Console';
import { ServerPanel } from './ServerPanel';
import { Sessions } from './Sessions';
import { SideBySide } from './SideBySide';
import { Stores } from './Stores';
import { Tools } from './Tools';
import { attach, setMistakes, useMistakesOn, useRunning } from './session';
import type { Host } from './worker';
import styles from './gym.module.css';

/** By the names they have in links. */
const panels = [
  { id: 'console', name: 'Console' },
  { id: 'tools', name: 'Tools and schemas' },
  { id: 'checklist', name: 'Checklist' },
  { id: 'mistakes', name: 'Side by side' },
  { id: 'stores', name: 'Stores' },
];

const FIRST_SHOWN = 'stateful_counter';

/** The environment server in this tab. */
export default function GymPage() {
  useEffect(attach, []);
  const host = useRunning((state) => state.host);
  const place = usePlace();
  const environment = environmentNamed(place.environment ?? FIRST_SHOWN) ?? environmentNamed(FIRST_SHOWN);
  if (environment === undefined) return null;
  return (
    <main className={styles.page}>
      <MistakesBanner />
      <div className={styles.columns}>
        <EnvironmentList chosen={environment.name} />
        {host === undefined ? (
          <Starting />
        ) : (
          <EnvironmentView environment={environment} panel={place.panel} host={host} />
        )}
        <ServerPanel host={host} />
      </div>
    </main>
  );
}

function Starting() {
  return (
    <output className={styles.starting}>
      <Notice title="Starting the server">A service worker takes its requests, in this tab.</Notice>
    </output>
  );
}

function MistakesBanner() {
  const on = useMistakesOn();
  if (on.length === 0) return null;
  return (
    <div className={styles.banner} role="alert">
      <b>{on.length === 1 ? 'A mistake is on, on purpose:' : 'Mistakes are on, on purpose:'}</b>
      <span>
        {on.map((name) => (
          <span key={name}>
            <code>{name}</code> {MISTAKES[name]}{' '}
          </span>
        ))}
      </span>
      <Button onClick={() => setMistakes({})}>Turn off</Button>
    </div>
  );
}

function EnvironmentList({ chosen }: { chosen: string }) {
  return (
    <nav className={styles.list} aria-label="Environments">
      <h1 className={styles.pageTitle}>Environments</h1>
      <ul>
        {environments.map(({ name, title, stateful, tools }) => (
          <li key={name}>
            <button
              type="button"
              className={join(styles.item, name === chosen && styles.itemChosen)}
              aria-current={name === chosen ? 'true' : undefined}
              onClick={() => goTo({ environment: name })}
            >
              <b>{title}</b>
              <code>{name}</code>
              <span>
                {stateful ? 'stateful' : 'stateless'} · {tools.size} {tools.size === 1 ? 'tool' : 'tools'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface EnvironmentViewProps {
  environment: Environment;
  panel: string | undefined;
  host: Host;
}

function EnvironmentView({ environment, panel, host }: EnvironmentViewProps) {
  const shown = panels.find(({ id }) => id === panel) ?? panels[0];
  return (
    <section className={styles.middle} aria-labelledby="environment-title">
      <div className={styles.head}>
        <h2 id="environment-title">{environment.title}</h2>
        <p>{environment.description}</p>
      </div>
      <Tabs.Root
        className={styles.tabs ?? ''}
        value={shown?.id}
        onValueChange={(value) => {
          const next = panels.find(({ id }) => id === value);
          if (next !== undefined) goTo({ panel: next.id }, 'replace');
        }}
      >
        <TabStrip label="Environment" tabs={panels} />
        <Tabs.Panel value="console" className={styles.panel ?? ''}>
          <Console key={environment.name} environment={environment} host={host} />
        </Tabs.Panel>
        <Tabs.Panel value="tools" className={styles.panel ?? ''}>
          <Tools environment={environment} />
        </Tabs.Panel>
        <Tabs.Panel value="checklist" className={styles.panel ?? ''}>
          <Checklist key={environment.name} environment={environment} host={host} />
        </Tabs.Panel>
        <Tabs.Panel value="mistakes" className={styles.panel ?? ''}>
          <SideBySide key={environment.name} environment={environment} />
        </Tabs.Panel>
        <Tabs.Panel value="stores" className={styles.panel ?? ''}>
          <Stores />
        </Tabs.Panel>
      </Tabs.Root>
      <Sessions environment={environment} />
    </section>
  );
}
