import { Tabs } from '@base-ui/react/tabs';
import { useEffect } from 'react';
import { environmentNamed, environments, MISTAKES, type Environment } from '../../gym';
import { Button, join } from '../controls/Button';
import { Notice } from '../controls/Notice';
import { Checklist } from './Checklist';
import { Console } from './Console';
import { ServerPanel } from './ServerPanel';
import { Sessions } from './Sessions';
import { SideBySide } from './SideBySide';
import { Stores } from './Stores';
import { Tools } from './Tools';
import {
  attach,
  choose,
  gymTabs,
  setMistakes,
  useChoices,
  useMistakesOn,
  useRunning,
  type GymTab,
} from './session';
import type { Host } from './worker';
import styles from './gym.module.css';

const tabNames: Record<GymTab, string> = {
  console: 'Console',
  tools: 'Tools and schemas',
  checklist: 'Checklist',
  mistakes: 'Side by side',
  stores: 'Stores',
};

/** The environment server in this tab. */
export default function GymPage() {
  useEffect(attach, []);
  const host = useRunning((state) => state.host);
  const chosen = useChoices((state) => state.environment);
  const environment = environmentNamed(chosen) ?? environments[0];
  if (environment === undefined) return null;
  return (
    <main className={styles.page}>
      <MistakesBanner />
      <div className={styles.columns}>
        <EnvironmentList chosen={environment.name} />
        {host === undefined ? <Starting /> : <EnvironmentView environment={environment} host={host} />}
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
              onClick={() => choose({ environment: name })}
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

function EnvironmentView({ environment, host }: { environment: Environment; host: Host }) {
  const tab = useChoices((state) => state.tab);
  return (
    <section className={styles.middle} aria-labelledby="environment-title">
      <div className={styles.head}>
        <h2 id="environment-title">{environment.title}</h2>
        <p>{environment.description}</p>
      </div>
      <Tabs.Root
        className={styles.tabs ?? ''}
        value={tab}
        onValueChange={(value) => {
          const next = gymTabs.find((id) => id === value);
          if (next !== undefined) choose({ tab: next });
        }}
      >
        <Tabs.List className={styles.tabList ?? ''} aria-label="Environment">
          {gymTabs.map((id) => (
            <Tabs.Tab key={id} value={id} className={styles.tab ?? ''}>
              {tabNames[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
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
