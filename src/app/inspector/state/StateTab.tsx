import { useMemo } from 'react';
import {
  stateAt,
  stateChanges,
  stepThatChanged,
  valueAtPointer,
  type Episode,
  type StateChange,
} from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { Notice } from '../../controls/Notice';
import { oneLine } from '../../words/format';
import { Section } from '../info/Section';
import type { TabProps } from '../tab';
import { togglePin, usePins } from './pins';
import { StateTree } from './StateTree';
import { pathText, shown } from './text';
import styles from './state.module.css';

/** The session's state after this step, what the step did to it, and the places kept in sight. */
export function StateTab({ episode, step, onPlace }: TabProps) {
  const now = stateAt(episode, step);
  const before = stateAt(episode, step - 1);
  const changes = useMemo(() => stateChanges(before?.value, now?.value), [before, now]);
  const changed = useMemo(() => new Set(changes.map(({ pointer }) => pointer)), [changes]);
  const pins = usePins(({ pointers }) => pointers);
  if (episode.states === undefined || episode.states.length === 0) return <NoState episode={episode} />;
  const otherSession =
    before?.session !== undefined && now?.session !== undefined && before.session !== now.session;
  return (
    <div className={styles.state}>
      <p className={styles.lead}>
        {now?.session === undefined ? 'The session' : `Session ${oneLine(now.session, 8)}`} after step {step}
        {now?.edited === true ? ', changed by hand' : ''}.
        {otherSession ? <b> Not the session of the step before.</b> : null}
      </p>
      {pins.length === 0 ? null : (
        <Section title="Pinned">
          <ul className={styles.pins}>
            {pins.map((pointer) => (
              <Pin key={pointer} pointer={pointer} episode={episode} step={step} onPlace={onPlace} />
            ))}
          </ul>
        </Section>
      )}
      <Section title={step === 0 ? 'Changed since the session was seeded' : `Changed since step ${step - 1}`}>
        <Changes changes={changes} />
      </Section>
      <Section title="State">
        {now?.value === undefined ? (
          <p className={styles.absent}>The server keeps nothing for this session.</p>
        ) : (
          <StateTree
            value={now.value}
            changed={changed}
            pinned={pins}
            onPin={togglePin}
            onChangedAt={(pointer) => {
              const target = stepThatChanged(episode, pointer, step, 'backward');
              if (target !== undefined) onPlace({ step: Math.max(0, target) });
            }}
          />
        )}
      </Section>
    </div>
  );
}

function NoState({ episode }: { episode: Episode }) {
  const gap = episode.gaps.find(({ about }) => about === 'state');
  const asked = (episode.exchanges ?? []).length > 0;
  return (
    <Notice title="No session state">
      {gap?.reason ??
        (asked
          ? 'What this server keeps for a session cannot be seen from outside. A replay against the server in the tab rebuilds it.'
          : 'This source does not keep what the environment remembered. A live run records it after every step, and a replay of the episode rebuilds it.')}
    </Notice>
  );
}

interface PinProps {
  pointer: string;
  episode: Episode;
  step: number;
  onPlace: TabProps['onPlace'];
}

function Pin({ pointer, episode, step, onPlace }: PinProps) {
  const earlier = stepThatChanged(episode, pointer, step, 'backward');
  const later = stepThatChanged(episode, pointer, step, 'forward');
  const path = pathText(pointer);
  return (
    <li>
      <code className={styles.path}>{path}</code>
      <code className={styles.value}>{shown(valueAtPointer(stateAt(episode, step)?.value, pointer))}</code>
      <span className={styles.jumps}>
        <Jump
          to={earlier}
          word="←"
          label={`The step that changed ${path}`}
          none={`${path} did not change before`}
          onPlace={onPlace}
        />
        <Jump
          to={later}
          word="→"
          label={`The next step that changes ${path}`}
          none={`${path} does not change any more`}
          onPlace={onPlace}
        />
        <button type="button" aria-label={`Unpin ${path}`} title="Unpin" onClick={() => togglePin(pointer)}>
          ×
        </button>
      </span>
    </li>
  );
}

interface JumpProps {
  to: number | undefined;
  word: string;
  label: string;
  none: string;
  onPlace: TabProps['onPlace'];
}

function Jump({ to, word, label, none, onPlace }: JumpProps) {
  return (
    <button
      type="button"
      disabled={to === undefined}
      aria-label={label}
      title={to === undefined ? none : `${label}: ${to < 0 ? 'the seed' : `step ${to}`}`}
      onClick={() => {
        if (to !== undefined) onPlace({ step: Math.max(0, to) });
      }}
    >
      {word}
    </button>
  );
}

const signs: Record<StateChange['kind'], string> = { added: '+', removed: '−', changed: '~' };

/** What is different, place by place. */
export function Changes({ changes }: { changes: readonly StateChange[] }) {
  const { shown: first, rest, showMore } = useFirst(changes, changes, 50);
  if (changes.length === 0) return <p className={styles.absent}>Nothing.</p>;
  return (
    <>
      <ul className={styles.changes}>
        {first.map((change) => (
          <li key={change.pointer} data-kind={change.kind}>
            <span aria-hidden>{signs[change.kind]}</span>
            <span className="unseen">{change.kind}</span>
            <code className={styles.path}>{pathText(change.pointer)}</code>
            <span className={styles.value}>
              {change.kind === 'added' ? null : <del>{shown(change.before)}</del>}
              {change.kind === 'changed' ? ' → ' : null}
              {change.kind === 'removed' ? null : <ins>{shown(change.after)}</ins>}
            </span>
          </li>
        ))}
      </ul>
      <More rest={rest} onMore={showMore} />
    </>
  );
}
