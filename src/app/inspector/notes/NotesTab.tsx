import { useMemo } from 'react';
import { notesAt, renderedAt, type Note } from '../../../model';
import { Notice } from '../../controls/Notice';
import { Name } from '../../markdown';
import { counted } from '../../words/format';
import { Section } from '../info/Section';
import { Folded } from '../Folded';
import type { TabProps } from '../tab';
import { noteChanges, type NoteChange } from './changes';
import styles from './notes.module.css';

/** StateLM's external memory at the step, and what changed in it. */
export function NotesTab({ episode, step, onPlace }: TabProps) {
  const notes = useMemo(() => notesAt(episode, step), [episode, step]);
  const since = useMemo(() => noteChanges(episode, step - 1, step), [episode, step]);
  const now = useMemo(() => noteChanges(episode, step, step + 1), [episode, step]);
  const edits = episode.notes ?? [];
  if (episode.statelm === undefined && edits.length === 0) {
    return (
      <Notice title="No notes">
        The loop that made this episode keeps no notes: it is not one of StateLM&rsquo;s.
      </Notice>
    );
  }
  if (edits.length === 0) {
    return <Notice title="No notes">The policy never wrote a note in this episode.</Notice>;
  }
  const rendered = renderedAt(episode, step);
  const stale = noteChanges(episode, rendered, step).length > 0;
  const next = edits.find((edit) => edit.step > step);
  return (
    <div className={styles.notes}>
      <p className={styles.lead}>
        {counted(notes.size, 'note')} when step {step} was called.
        {stale ? ` The view still lists those of step ${rendered}, where it was rendered last.` : ''}
      </p>
      {notes.size === 0 ? null : (
        <ul className={styles.list}>
          {Array.from(notes, ([key, note]) => (
            <NoteView key={key} name={key} note={note} change={since.find((each) => each.key === key)} />
          ))}
        </ul>
      )}
      <Changes title={`Changed since step ${step - 1}`} changes={step === 0 ? [] : since} />
      <Changes title="Written at this step" changes={now} />
      {next === undefined ? null : (
        <p className={styles.lead}>
          Next change at{' '}
          <button type="button" className={styles.link} onClick={() => onPlace({ step: next.step })}>
            step {next.step}
          </button>
        </p>
      )}
    </div>
  );
}

const signs: Record<NoteChange['kind'], string> = {
  new: '+ new',
  changed: '~ changed',
  removed: '− removed',
};

function NoteView({ name, note, change }: { name: string; note: Note; change: NoteChange | undefined }) {
  return (
    <li className={styles.note}>
      <p className={styles.key}>
        <b>
          <Name text={name} />
        </b>
        {change === undefined ? null : (
          <span className={styles.sign} data-kind={change.kind}>
            {signs[change.kind]}
          </span>
        )}
      </p>
      <p className={styles.summary}>
        {note.summary === '' ? 'without a summary' : <Folded text={note.summary} />}
      </p>
      <div className={styles.content}>
        <Folded text={note.content} />
      </div>
    </li>
  );
}

function Changes({ title, changes }: { title: string; changes: readonly NoteChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.list}>
        {changes.map(({ key, kind, before, after }) => (
          <li key={key} className={styles.note}>
            <p className={styles.key}>
              <b>
                <Name text={key} />
              </b>
              <span className={styles.sign} data-kind={kind}>
                {signs[kind]}
              </span>
            </p>
            {before === undefined ? null : (
              <del className={styles.content}>
                <Folded text={textOf(before)} />
              </del>
            )}
            {after === undefined ? null : (
              <ins className={styles.content}>
                <Folded text={textOf(after)} />
              </ins>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const textOf = ({ summary, content }: Note) => (summary === '' ? content : `${summary}\n${content}`);
