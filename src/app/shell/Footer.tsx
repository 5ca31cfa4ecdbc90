import type { Episode } from '../../model';
import type { Command, CommandId } from '../commands/command';
import { Kbd } from '../controls/Kbd';
import styles from './shell.module.css';

/** The keys worth knowing here, and where what is shown comes from. */
export function Footer({
  commands,
  episode,
}: {
  commands: readonly Command[];
  episode: Episode | undefined;
}) {
  const hints: readonly { label: string; ids: readonly CommandId[] }[] =
    episode === undefined
      ? [{ label: 'open', ids: ['source.open'] }]
      : [
          { label: 'step', ids: ['step.next', 'step.previous'] },
          { label: 'episode', ids: ['episode.next', 'episode.previous'] },
          ...(episode.edits.length > 0
            ? [{ label: 'delete', ids: ['step.previousDelete', 'step.nextDelete'] as const }]
            : []),
          { label: 'finding', ids: ['step.nextFinding'] },
          { label: 'find', ids: ['find'] },
          { label: 'filter', ids: ['table.filter'] },
          { label: 'view', ids: ['show.viewMode'] },
        ];
  return (
    <footer className={styles.footer}>
      {[
        ...hints,
        { label: 'commands', ids: ['palette'] as const },
        { label: 'all keys', ids: ['help'] as const },
      ].map(({ label, ids }) => (
        <span key={label} className={styles.hint}>
          {ids.map((id) => (
            <KeyOf key={id} command={commands.find((command) => command.id === id)} />
          ))}
          {label}
        </span>
      ))}
      <span className={styles.origin}>
        {episode === undefined ? 'Nothing is uploaded: files are read in this tab.' : originOf(episode)}
      </span>
    </footer>
  );
}

function KeyOf({ command }: { command: Command | undefined }) {
  const keys = command?.keys[0];
  return keys === undefined ? null : <Kbd keys={keys} />;
}

function originOf(episode: Episode): string {
  const views = episode.edits.length > 0 ? 'view rebuilt from the edits' : 'view rebuilt from the history';
  return `${views} (derived)`;
}
