import { useMemo } from 'react';
import { aroundBreak, promptBreaks, textOfIds, type Episode, type PromptBreak } from '../../../model';
import { PlainText } from '../../markdown';
import { counted, formatCount } from '../../words/format';
import type { Reading } from './reading';
import styles from './tokens.module.css';

interface BreaksProps {
  episode: Episode;
  step: number;
  reading: Reading | undefined;
  onStep: (step: number) => void;
}

/** Whether each prompt goes on where the last call ended, and what differs first where one does not. */
export function Breaks({ episode, step, reading, onStep }: BreaksProps) {
  const breaks = useMemo(() => promptBreaks(episode), [episode]);
  const compared = useMemo(() => comparedCalls(episode), [episode]);
  if (compared === 0) return null;
  // That of the step comes first: there is little room.
  const current = breaks.filter((each) => each.step === step);
  const inOrder = [...current, ...breaks.filter((each) => each.step !== step)];
  const unexplained = breaks.filter(({ edited }) => !edited).length;
  return (
    <details className={styles.breaks} open={current.length > 0}>
      <summary>
        {breaks.length === 0
          ? compared === 1
            ? 'The second prompt continues the call before'
            : `All ${counted(compared, 'prompt')} continue the call before`
          : `${counted(breaks.length, 'prompt')} of ${formatCount(compared)} ${breaks.length === 1 ? 'does' : 'do'} not continue the call before`}
        {breaks.length === 0 || unexplained === breaks.length ? null : (
          <span className={styles.quiet}>
            {unexplained === 0 ? ', each after an edit' : `, ${formatCount(unexplained)} without an edit`}
          </span>
        )}
      </summary>
      <ol>
        {inOrder.slice(0, few).map((found) => (
          <BreakView
            key={found.step}
            episode={episode}
            found={found}
            current={found.step === step}
            reading={reading}
            onStep={onStep}
          />
        ))}
      </ol>
      {breaks.length > few ? (
        <p className={styles.quiet}>and {formatCount(breaks.length - few)} more</p>
      ) : null}
    </details>
  );
}

const few = 50;

function comparedCalls({ steps }: Episode): number {
  return steps.filter(
    ({ tokens }, index) => index > 0 && tokens !== undefined && steps[index - 1]?.tokens !== undefined,
  ).length;
}

interface BreakViewProps {
  episode: Episode;
  found: PromptBreak;
  current: boolean;
  reading: Reading | undefined;
  onStep: (step: number) => void;
}

function BreakView({ episode, found, current, reading, onStep }: BreakViewProps) {
  const { step, at, was, is, edited } = found;
  const around = aroundBreak(episode, found);
  const read = (ids: Int32Array) => readAs(episode, ids, reading);
  return (
    <li data-current={current ? '' : undefined}>
      <p>
        <button type="button" className={styles.link} onClick={() => onStep(step)}>
          step {step}
        </button>{' '}
        at token {formatCount(at)}: id {was ?? 'none'} became {is ?? 'nothing'}
        <span className={styles.quiet}>{edited ? ', explained by the edit before it' : ''}</span>
      </p>
      <dl>
        <dt>was</dt>
        <dd>
          <PlainText text={`…${read(around.lead)}`} />
          <del>
            <PlainText text={read(around.was)} />
          </del>
        </dd>
        <dt>is</dt>
        <dd>
          <PlainText text={`…${read(around.lead)}`} />
          <ins>
            <PlainText text={read(around.is)} />
          </ins>
        </dd>
      </dl>
    </li>
  );
}

/** Text where it can be read, else the ids. */
function readAs({ tokenIds }: Episode, ids: Int32Array, reading: Reading | undefined): string {
  const characters = tokenIds === 'characters' ? textOfIds(ids) : undefined;
  if (characters !== undefined) return characters;
  return Array.from(ids, (id) => reading?.texts.get(id) ?? `${id} `).join('');
}
