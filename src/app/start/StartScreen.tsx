import { useRef, useState } from 'react';
import { Button } from '../controls/Button';
import { errorText } from '../../model/error-text';
import { useLoaded } from '../data/useLoaded';
import { chooseFolder, openFolder } from '../opening/choose';
import { openSample, openText, reopen } from '../opening/open';
import { forget, recents, type Recent } from '../opening/recents';
import { filesOfInput } from '../opening/transfer';
import { goTo, goToPage } from '../place/usePlace';
import { samples } from '../samples';
import { useSources } from '../stores/sources';
import { say } from '../stores/toasts';
import { counted, formatBytes } from '../words/format';
import { ago } from '../words/ago';
import styles from './start.module.css';
import { UrlField } from './UrlField';
import { useRehearsal } from './ahead';
import { useFocusLeaves } from './focus';

/** The first screen: ways to bring files, and samples for those who have none at hand. */
export function StartScreen({ onOpen }: { onOpen: () => void }) {
  const main = useRef<HTMLElement>(null);
  useRehearsal();
  useFocusLeaves(main);
  return (
    <main ref={main} className={styles.start}>
      <div className={styles.column}>
        <h1 className={styles.title}>See what really happened in an episode</h1>
        <p className={styles.lead}>
          Drop rollout files anywhere in this window. What the model saw at each call, what came back, what it
          was worth: step by step, in this tab. Nothing is uploaded.
        </p>
        <div className={styles.ways}>
          <Button kind="primary" onClick={onOpen}>
            Choose files
          </Button>
          <ChooseFolder />
          <PasteButton />
          <Button onClick={() => goToPage('live')}>Run an episode</Button>
          <Button onClick={() => goToPage('gym')}>Environments</Button>
          <span className={styles.or}>or press Ctrl+V with a record on the clipboard</span>
        </div>
        <UrlField />
        <OpenNow />
        <Recents />
        <h2 className={styles.heading}>Nothing at hand? Open a sample</h2>
        <ul className={styles.gallery}>
          {samples.map((sample) => (
            <li key={sample.id}>
              <button type="button" className={styles.card} onClick={() => void openSample(sample.id)}>
                <b>{sample.title}</b>
                <span>{sample.shows}</span>
                <code>{sample.fileName}</code>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}

function ChooseFolder() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => chooseFolder(input.current)}>Choose a folder</Button>
      <input
        ref={input}
        type="file"
        // Known to browsers, not to React's types.
        {...{ webkitdirectory: '' }}
        className="unseen"
        aria-label="Open a folder"
        tabIndex={-1}
        onChange={(event) => {
          openFolder(filesOfInput(event.currentTarget));
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

function PasteButton() {
  return <Button onClick={() => void paste()}>Paste</Button>;
}

async function paste(): Promise<void> {
  try {
    const text = await navigator.clipboard.readText();
    if (text.trim() === '') say('The clipboard holds no text');
    else openText(text);
  } catch {
    say('The browser did not allow it: press Ctrl+V instead');
  }
}

/** Sources that are open while the person is back on this screen. */
function OpenNow() {
  const open = useSources((state) => state.list);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="open-now">
      <h2 id="open-now" className={styles.heading}>
        Open now
      </h2>
      <ul className={styles.list}>
        {open.map((source) => (
          <li key={source.id}>
            <button
              type="button"
              className={styles.row}
              onClick={() => goTo({ source: source.id, episode: 0, step: 0 })}
            >
              <b>{source.name}</b>
              <span>{counted(source.episodes, 'episode')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recents() {
  const [changes, setChanges] = useState(0);
  const open = useSources((state) => state.list);
  const { value: remembered = [] } = useLoaded(`recents ${changes}`, recentsWithAge, { keepLast: true });
  const known = remembered.filter(({ recent }) => !open.some(({ id }) => id === recent.id));
  if (known.length === 0) return null;
  const drop = async (id?: string) => {
    await forget(id);
    setChanges(changes + 1);
  };
  return (
    <section aria-labelledby="recent">
      <h2 id="recent" className={styles.heading}>
        Recent
        <Button kind="quiet" onClick={() => void drop()}>
          Forget all
        </Button>
      </h2>
      <ul className={styles.list}>
        {known.map(({ recent, when }) => (
          <li key={recent.id}>
            <button type="button" className={styles.row} onClick={() => void openRecent(recent)}>
              <b>{recent.name}</b>
              <span>{`${formatBytes(recent.size)} · ${when}`}</span>
            </button>
            <Button kind="quiet" aria-label={`Forget ${recent.name}`} onClick={() => void drop(recent.id)}>
              ×
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function openRecent(recent: Recent): Promise<void> {
  try {
    if ((await reopen(recent.id, true)) === 'opened') goTo({ source: recent.id, episode: 0, step: 0 });
    else say(`${recent.name} was too large to keep: drop it again`);
  } catch (error) {
    say(`${recent.name} cannot be opened: ${errorText(error)}`);
  }
}

async function recentsWithAge(): Promise<{ recent: Recent; when: string }[]> {
  const now = Date.now();
  return (await recents()).map((recent) => ({ recent, when: ago(now - recent.openedAt) }));
}
