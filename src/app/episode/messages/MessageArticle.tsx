import { memo, useEffect, useRef } from 'react';
import { messageText, type ContextEdit, type Message } from '../../../model';
import { PlainText } from '../../markdown';
import { CopyButton } from './CopyButton';
import styles from './messages.module.css';
import { Parts } from './Parts';
import type { Appearance } from './rows';
import { GhostOf, Stub } from './Stub';
import { useSurroundings } from './surroundings';
import { answeredBy, articleName, gapsOf, gutterWords } from './words';

interface MessageArticleProps {
  message: Message;
  state: Appearance['state'];
  edit: ContextEdit | undefined;
  /** Just jumped to: takes the focus, and is shown to be the one. */
  target: boolean;
}

export const MessageArticle = memo(function MessageArticle({
  message,
  state,
  edit,
  target,
}: MessageArticleProps) {
  const { episode, measure } = useSurroundings();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (target) ref.current?.focus({ preventScroll: true });
  }, [target]);
  const { role, facts, title } = gutterWords(message, state, measure);
  const gaps = episode === undefined ? [] : gapsOf(episode, message);
  return (
    <article
      ref={ref}
      tabIndex={-1}
      aria-label={articleName(message)}
      className={styles.message}
      data-state={state}
      data-target={target || undefined}
    >
      <header className={styles.gutter} title={title}>
        <h3>{role}</h3>
        <span>{facts}</span>
      </header>
      <div className={styles.body}>
        {message.role === 'tool' || message.toolResultFor !== undefined ? (
          <AnswerLine message={message} />
        ) : null}
        {state === 'stub' ? <Stub message={message} edit={edit} /> : null}
        {state === 'ghost' ? <GhostOf message={message} edit={edit} /> : null}
        {state === 'verbatim' ? <Parts message={message} openKey={`${message.msgId}`} /> : null}
        {gaps.map((reason) => (
          <p key={reason} className={styles.quietWord}>
            {reason}
          </p>
        ))}
      </div>
      <CopyButton what={`message ${message.msgId}`} text={() => messageText(message)} />
    </article>
  );
});

/** Which calls a tool message answers. */
function AnswerLine({ message }: { message: Message }) {
  const { episode, jumpTo } = useSurroundings();
  if (episode === undefined) return null;
  const { calls, unknown } = answeredBy(episode, message);
  if (calls.length === 0 && unknown.length === 0 && message.toolName === undefined) return null;
  return (
    <p className={styles.answers}>
      {calls.length === 0 && message.toolName !== undefined ? <PlainText text={message.toolName} /> : null}
      {calls.map(({ name, msgId, callId }) => (
        <button
          key={callId}
          type="button"
          className={styles.link}
          title={`Call ${callId}`}
          onClick={() => jumpTo(msgId)}
        >
          answers <PlainText text={name} />, message {msgId}
        </button>
      ))}
      {unknown.map((callId) => (
        <span key={callId}>
          answers <PlainText text={callId} />, a call that is not in this episode
        </span>
      ))}
    </p>
  );
}
