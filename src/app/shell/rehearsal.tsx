import { startTransition, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { Group, Panel, Separator } from 'react-resizable-panels';
import type { ColumnInfo, Row, TableQuery } from '../../ingest/protocol';
import type { Episode } from '../../model';
import { EpisodeRegion } from '../episode';
import { EpisodesRegion } from '../episodes';
import { EpisodeTable } from '../episodes/EpisodeTable';
import type { RowWindows } from '../episodes/rowWindows';
import { useEpisodeColumns } from '../episodes/useEpisodeColumns';
import { InspectorRegion } from '../inspector';
import { OwnFrame } from '../controls/OwnFrame';
import styles from './shell.module.css';

/**
 * Draws a small episode where nobody sees it. What is drawn for the first time takes several times as long as later: the
 * browser reads its code only then, and the tokenizer reads its vocabulary. So that a dropped file does not have to wait
 * for that, it happens before. Gives the way to end it.
 */
export function rehearse(): () => void {
  const stage = document.createElement('div');
  stage.className = styles.rehearsal ?? '';
  stage.inert = true;
  document.body.append(stage);
  const root = createRoot(stage, { identifierPrefix: 'rehearsal' });
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    root.unmount();
    stage.remove();
  };
  startTransition(() => root.render(<Rehearsal onEnd={end} />));
  return end;
}

function Rehearsal({ onEnd }: { onEnd: () => void }) {
  return (
    <>
      <OwnFrame>
        <Group>
          <Panel />
          <Separator />
          <Panel />
        </Group>
      </OwnFrame>
      <OwnFrame>
        <section className={styles.region}>
          <EpisodesRegion selected={undefined} onSelect={nothing} />
        </section>
      </OwnFrame>
      <OwnFrame>
        <section className={styles.region}>
          <Table />
        </section>
      </OwnFrame>
      <OwnFrame>
        <section className={styles.region}>
          <EpisodeRegion episode={episode} step={1} findings={[]} onStep={nothing} />
        </section>
      </OwnFrame>
      <OwnFrame>
        <section className={styles.region}>
          <InspectorRegion
            episodeRef={row.ref}
            episode={episode}
            step={1}
            tab="info"
            findings={[]}
            onTab={nothing}
            onPlace={nothing}
          />
        </section>
      </OwnFrame>
      <OwnFrame>
        <End onEnd={onEnd} />
      </OwnFrame>
    </>
  );
}

function End({ onEnd }: { onEnd: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onEnd, 500);
    return () => clearTimeout(timer);
  }, [onEnd]);
  return null;
}

function Table() {
  const columns = useEpisodeColumns(infos);
  return (
    <EpisodeTable
      query={query}
      revision=""
      growing={false}
      expected={30}
      windows={windows}
      columns={columns}
      selected={undefined}
      onSelect={nothing}
    />
  );
}

const nothing = () => undefined;

const query: TableQuery = { sources: [], sort: [] };

const infos: readonly ColumnInfo[] = [
  { key: 'reward', label: 'Reward', type: 'number', shown: true, filled: 1 },
  { key: 'steps', label: 'Steps', type: 'number', shown: true, filled: 1 },
  { key: 'model', label: 'Model', type: 'string', shown: true, filled: 1 },
];

const row: Row = {
  ref: { source: '', episode: 0 },
  title: '0',
  cells: { reward: 1, steps: 2, model: 'none' },
};

const windows: RowWindows = {
  want: nothing,
  row: () => row,
  find: nothing,
  total: () => 30,
  failure: nothing,
  subscribe: () => nothing,
  version: () => 0,
};

const episode: Episode = {
  id: '',
  format: 'rollscope',
  title: '',
  tools: [],
  messages: [
    {
      msgId: 0,
      role: 'user',
      origin: 'prompt',
      parts: [{ kind: 'text', text: '**One** of `two`:\n\n- a\n- b' }],
      bornAtStep: -1,
      raw: [],
    },
    {
      msgId: 1,
      role: 'assistant',
      origin: 'policy',
      parts: [
        { kind: 'reasoning', text: 'A thought.', form: 'full' },
        { kind: 'text', text: 'A word.' },
        { kind: 'call', call: { callId: 'a', name: 'look', arguments: '{"at": [1]}' } },
      ],
      bornAtStep: 0,
      raw: [],
    },
    {
      msgId: 2,
      role: 'tool',
      origin: 'environment',
      parts: [{ kind: 'json', text: '{"seen": [1, "two", null]}' }],
      toolResultFor: ['a'],
      bornAtStep: 0,
      raw: [],
    },
    {
      msgId: 3,
      role: 'assistant',
      origin: 'policy',
      parts: [{ kind: 'text', text: 'Done.' }],
      bornAtStep: 1,
      raw: [],
    },
  ],
  steps: [{ index: 0 }, { index: 1 }],
  edits: [],
  outcome: { reward: 1, components: { found: 1 } },
  metrics: { turns: 2 },
  gaps: [],
};
