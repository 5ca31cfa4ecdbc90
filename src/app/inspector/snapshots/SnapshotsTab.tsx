import { useMemo, useState } from 'react';
import type { Episode } from '../../../model';
import { Notice } from '../../controls/Notice';
import { counted, formatCount } from '../../words/format';
import { Section } from '../info/Section';
import type { TabProps } from '../tab';
import { Comparison } from './Comparison';
import { keptAt, maskOf, momentsOf, type Moment } from './contents';
import { Deletion } from './Deletion';
import { MaskBar } from './MaskBar';
import { MessageLines } from './MessageLines';
import styles from './snapshots.module.css';

/** More are listed on request, and up to the one chosen. */
const few = 100;

/** The trajectory as it was kept before each edit. */
export function SnapshotsTab({ episode, step, onPlace }: TabProps) {
  const moments = useMemo(() => momentsOf(episode), [episode]);
  const [picked, setPicked] = useState<{ episode: Episode; index: number }>();
  const [limit, setLimit] = useState(few);
  if (moments.length === 0) {
    const gap = episode.gaps.find(({ about }) => about === 'views');
    return (
      <Notice title="No snapshots">
        {gap?.reason ??
          'Nothing was deleted or compacted in this episode: no snapshot was taken, and it becomes one sample.'}
      </Notice>
    );
  }
  // Without a choice, the snapshot that the step belongs to.
  const follows = moments.findIndex((moment) => step <= (moment.step ?? Infinity));
  const chosen = picked?.episode === episode ? picked.index : follows;
  const moment = moments[chosen];
  const shown = moments.slice(0, Math.max(limit, chosen + 1));
  return (
    <div className={styles.snapshots}>
      <table className={styles.list}>
        <caption className={styles.caption}>
          {counted(moments.length - 1, 'snapshot')}, each taken just before an edit
        </caption>
        <thead>
          <tr>
            <th scope="col">taken</th>
            <th scope="col">step</th>
            <th scope="col" abbr="messages">
              <abbr title="messages of the history">msgs</abbr>
            </th>
            <th scope="col">deleted</th>
            <th scope="col">tokens</th>
            <th scope="col">trained</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((each, index) => (
            <tr key={each.name} data-chosen={index === chosen ? '' : undefined}>
              <td>
                <button
                  type="button"
                  className={styles.link}
                  aria-pressed={index === chosen}
                  onClick={() => setPicked({ episode, index })}
                >
                  {each.name}
                </button>
              </td>
              <td>{each.step === undefined ? '–' : <StepButton step={each.step} onPlace={onPlace} />}</td>
              <td>{formatCount(each.messageCount)}</td>
              <td>{formatCount(each.gone)}</td>
              <td>{count(each.context)}</td>
              <td>{count(each.trained)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < moments.length ? (
        <button type="button" className={styles.link} onClick={() => setLimit(limit * 5)}>
          and {formatCount(moments.length - shown.length)} more
        </button>
      ) : null}
      <Deletion episode={episode} />
      {moment === undefined ? null : (
        <MomentView key={moment.name} episode={episode} moment={moment} onPlace={onPlace} />
      )}
      <Comparison
        key={`${episode.id} ${chosen}`}
        episode={episode}
        moments={moments}
        chosen={chosen}
        onPlace={onPlace}
      />
    </div>
  );
}

function StepButton({ step, onPlace }: { step: number; onPlace: TabProps['onPlace'] }) {
  return (
    <button
      type="button"
      className={styles.link}
      aria-label={`Go to step ${step}`}
      onClick={() => onPlace({ step })}
    >
      {step}
    </button>
  );
}

interface MomentViewProps {
  episode: Episode;
  moment: Moment;
  onPlace: TabProps['onPlace'];
}

function MomentView({ episode, moment, onPlace }: MomentViewProps) {
  const messages = useMemo(() => keptAt(episode, moment), [episode, moment]);
  const mask = useMemo(() => maskOf(episode, moment), [episode, moment]);
  const { name, edits } = moment;
  const ids = [...new Set(edits.flatMap(({ msgIds }) => msgIds))];
  return (
    <>
      {mask === undefined ? null : (
        <Section title="Mask">
          <MaskBar mask={mask} />
        </Section>
      )}
      <Section title={name === 'the end' ? 'Messages at the end' : `Messages of ${name}, as it was`}>
        {ids.length === 0 ? null : (
          <p className={styles.edit}>
            The edit after it took {counted(ids.length, 'message')}: {ids.slice(0, 20).join(', ')}
            {ids.length > 20 ? ' …' : ''}.
          </p>
        )}
        <MessageLines messages={messages} onPlace={onPlace} />
      </Section>
    </>
  );
}

function count(value: number | undefined): string {
  return value === undefined ? '?' : formatCount(value);
}
