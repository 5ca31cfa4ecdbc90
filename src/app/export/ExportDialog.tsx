import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useEffect, useMemo, useRef, useState } from 'react';
import { exportEpisode } from '../../formats';
import { episodeMarkdown, seenAs, type Episode } from '../../model';
import { Button } from '../controls/Button';
import { Segmented } from '../controls/Segmented';
import { TitledDialog } from '../controls/TitledDialog';
import { ingest } from '../data/ingest';
import { errorText } from '../../model/error-text';
import { useLoaded } from '../data/useLoaded';
import { tableQuery } from '../episodes/query';
import { PlainText } from '../markdown';
import { copy, say } from '../stores/toasts';
import { counted, formatBytes, formatCount } from '../words/format';
import { gather, type Gathered, type Loss } from './gather';
import { fileName, save } from './save';
import { closeExport } from './store';
import { targets, type Target } from './targets';
import styles from './export.module.css';

type Scope = 'one' | 'all';

/** What to save and as what; and before it is saved, what will be lost. */
export default function ExportDialog({ episode, step }: { episode: Episode; step: number }) {
  const [scope, setScope] = useState<Scope>('one');
  const [chosen, setChosen] = useState('rollscope');
  const query = useMemo(() => tableQuery(), []);
  const { value: count } = useLoaded(
    JSON.stringify(query),
    async () => (await ingest().rows(query, 0, 1)).total,
  );
  const offered = scope === 'one' ? targets : targets.filter(({ exporter }) => exporter !== undefined);
  const target = offered.find(({ id }) => id === chosen) ?? offered[0];
  return (
    <TitledDialog title="Export" onClose={closeExport}>
      <div className={styles.dialog}>
        <div className={styles.scope}>
          <Segmented
            name="What to export"
            value={scope}
            options={[
              { value: 'one', label: 'This episode' },
              {
                value: 'all',
                label: count === undefined ? 'All in the table' : `All ${formatCount(count)} in the table`,
              },
            ]}
            onChange={setScope}
          />
        </div>
        <RadioGroup
          aria-label="Format"
          className={styles.targets ?? ''}
          value={target?.id ?? ''}
          onValueChange={setChosen}
        >
          {offered.map(({ id, name, about }) => (
            <Radio.Root key={id} value={id} className={styles.target ?? ''} aria-label={name}>
              <span className={styles.name}>{name}</span>
              <span className={styles.about}>{about}</span>
            </Radio.Root>
          ))}
        </RadioGroup>
        {target === undefined ? null : scope === 'one' ? (
          <One key={target.id} episode={episode} target={target} />
        ) : (
          <All key={target.id} target={target} />
        )}
        <footer className={styles.foot}>
          <Button kind="quiet" onClick={() => void copy(episodeMarkdown(episode), 'Episode')}>
            Copy as Markdown
          </Button>
          <Button
            kind="quiet"
            onClick={() => void copy(JSON.stringify(seenAs(episode, step), null, 2), 'View')}
          >
            Copy the view as JSON
          </Button>
        </footer>
      </div>
    </TitledDialog>
  );
}

function One({ episode, target }: { episode: Episode; target: Target }) {
  const written = useMemo(() => {
    try {
      return { ok: true as const, ...target.write(episode) };
    } catch (error) {
      return { ok: false as const, why: errorText(error) };
    }
  }, [episode, target]);
  if (!written.ok) return <p role="alert">This episode cannot be written: {written.why}</p>;
  const { text, losses } = written;
  const name = fileName(episode.title, target.extension);
  return (
    <>
      <LossList losses={losses.map((sentence) => ({ sentence, episodes: 1 }))} of={1} />
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => {
            save(new Blob([text], { type: target.type }), name);
            say(`${name} saved`);
            closeExport();
          }}
        >
          Save {formatBytes(text.length)}
        </Button>
        <span className={styles.about}>{name}</span>
      </div>
    </>
  );
}

type Work =
  | { state: 'idle' }
  | { state: 'writing'; so: Gathered }
  | { state: 'ready'; so: Gathered; data: Blob }
  | { state: 'failed'; why: string };

function All({ target }: { target: Target }) {
  const [work, setWork] = useState<Work>({ state: 'idle' });
  const current = useRef(0);
  // Whatever is under way ends with the dialog.
  useEffect(() => () => void (current.current += 1), []);
  const { exporter } = target;

  const start = async () => {
    if (exporter === undefined) return;
    const turn = ++current.current;
    let so: Gathered = { done: 0, total: 0, unread: 0, losses: [] };
    setWork({ state: 'writing', so });
    try {
      const data = await gather(ingest(), tableQuery(), (episode) => exportEpisode(episode, exporter), {
        isStopped: () => current.current !== turn,
        onState: (state) => {
          so = state;
          if (current.current === turn) setWork({ state: 'writing', so });
        },
      });
      if (data !== undefined) setWork({ state: 'ready', so, data });
    } catch (error) {
      if (current.current === turn) setWork({ state: 'failed', why: errorText(error) });
    }
  };
  const stop = () => {
    current.current += 1;
    setWork({ state: 'idle' });
  };

  if (work.state === 'idle' || work.state === 'failed') {
    return (
      <>
        {work.state === 'failed' ? <p role="alert">Writing stopped: {work.why}</p> : null}
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => void start()}>
            Write
          </Button>
          <span className={styles.about}>What cannot be held is listed before anything is saved.</span>
        </div>
      </>
    );
  }
  const { done, total, unread, losses } = work.so;
  return (
    <>
      {work.state === 'writing' ? (
        <div className={styles.actions}>
          <progress aria-label="Writing" value={done} max={Math.max(total, 1)} />
          <span className={styles.about}>
            {formatCount(done)} of {formatCount(total)}
          </span>
          <Button onClick={stop}>Stop</Button>
        </div>
      ) : null}
      {unread === 0 ? null : (
        <p role="alert">
          {counted(unread, 'episode')} could not be read and {unread === 1 ? 'is' : 'are'} not in it.
        </p>
      )}
      <LossList losses={losses} of={done} />
      {work.state === 'ready' ? (
        <div className={styles.actions}>
          <Button
            kind="primary"
            onClick={() => {
              save(work.data, `episodes.${target.id}.jsonl`);
              say(`${counted(done - unread, 'episode')} saved`);
              closeExport();
            }}
          >
            Save {formatBytes(work.data.size)}
          </Button>
          <span className={styles.about}>{counted(done - unread, 'episode')}</span>
        </div>
      ) : null}
    </>
  );
}

const mostLosses = 12;

function LossList({ losses, of }: { losses: readonly Loss[]; of: number }) {
  if (losses.length === 0) {
    return <p className={styles.whole}>{of === 0 ? '' : 'Nothing is lost.'}</p>;
  }
  const shown = losses.slice(0, mostLosses);
  return (
    <section className={styles.losses} aria-label="What is lost">
      <h3>What this format cannot hold</h3>
      <ul>
        {shown.map(({ sentence, episodes }) => (
          <li key={sentence}>
            <PlainText text={sentence} />
            {of > 1 ? <span className={styles.about}> in {counted(episodes, 'episode')}</span> : null}
          </li>
        ))}
      </ul>
      {losses.length > shown.length ? (
        <p className={styles.about}>and {losses.length - shown.length} more</p>
      ) : null}
    </section>
  );
}
