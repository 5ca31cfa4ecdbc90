import { memo, useEffect, useRef } from 'react';
import { messageText, type ChatMessage, type ContextEdit, type Message } from '../../../model';
import { Name, PlainText, spelled } from '../../markdown';
import { setPreferences } from '../../stores/preferences';
import { shortName } from '../fold';
import { CopyButton } from './CopyButton';
import { few } from './few';
import { FoldedText } from './FoldedText';
import styles from './messages.module.css';
import type { Appearance } from './rows';
import { Rewritten, Seen } from './Seen';
import { GhostOf, Stub } from './Stub';
import { Tag } from './Tag';
import { useSurroundings } from './surroundings';
import { answeredBy, articleName, gapsOf, gutterWords } from './words';

interface MessageArticleProps {
  message: Message;
  state: Appearance['state'];
  edit: ContextEdit | undefined;
  /** As the loop wrote it into the context, where that is known. */
  chat: ChatMessage | undefined;
  /** As the loop wrote it before, where that was otherwise. */
  before: ChatMessage | undefined;
  /** Changes with every jump to this message, which then takes the focus and is shown to be the one. */
  jump: number;
}

export const MessageArticle = memo(function MessageArticle(props: MessageArticleProps) {
  const { message, state, jump } = props;
  const { episode, measure, takeFocus } = useSurroundings();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (jump > 0 && ref.current !== null && takeFocus(message.msgId)) showAsFound(ref.current);
  }, [jump, message.msgId, takeFocus]);
  const { role, facts, title } = gutterWords(message, state, measure);
  return (
    <article
      ref={ref}
      tabIndex={-1}
      aria-label={articleName(message)}
      className={styles.message}
      data-state={state}
    >
      <header className={styles.gutter} title={spelled(title)}>
        <h3>
          <Name text={role} />
        </h3>
        <span>{facts}</span>
        {message.inferredFrom === undefined ? null : <InferredTag />}
      </header>
      <div className={styles.body}>
        {message.role === 'tool' || message.toolResultFor !== undefined ? (
          <AnswerLine message={message} />
        ) : null}
        <Content {...props} />
        {few(gapsOf(episode, message), (reason) => (
          <p className={styles.quietWord}>
            <Name text={reason} most={1000} />
          </p>
        ))}
      </div>
      <CopyButton what={`message ${message.msgId}`} text={() => messageText(message)} />
    </article>
  );
});

/** Role and content are a guess: a click shows what they were guessed from. */
function InferredTag() {
  const { inferredText: isRaw } = useSurroundings();
  return (
    <button
      type="button"
      className={styles.inferred}
      aria-pressed={isRaw}
      title="Role and content were cut out of a decoded transcript. Shows that text instead (u)."
      onClick={() => setPreferences({ inferredText: !isRaw })}
    >
      <Tag tone="warn">{isRaw ? 'raw text' : 'inferred'}</Tag>
    </button>
  );
}

function Content({ message, state, edit, chat, before }: MessageArticleProps) {
  const { inferredText } = useSurroundings();
  if (inferredText && message.inferredFrom !== undefined) {
    return <FoldedText text={message.inferredFrom} openKey={`${message.msgId} raw`} />;
  }
  if (state === 'stub') return <Stub message={message} edit={edit} chat={chat} />;
  if (state === 'ghost') return <GhostOf message={message} edit={edit} />;
  if (chat !== undefined && before !== undefined) return <Rewritten chat={chat} before={before} />;
  return <Seen message={message} chat={chat} />;
}

function showAsFound(article: HTMLElement): void {
  article.focus({ preventScroll: true });
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  article.animate(
    { backgroundColor: ['var(--accent-soft)', 'transparent'] },
    { duration: 1600, easing: still ? 'step-end' : 'ease-out' },
  );
}

/** Which calls a tool message answers. */
function AnswerLine({ message }: { message: Message }) {
  const { episode, jumpTo } = useSurroundings();
  const { calls, unknown } = answeredBy(episode, message);
  if (calls.length === 0 && unknown.length === 0 && message.toolName === undefined) return null;
  return (
    <p className={styles.answers}>
      {calls.length === 0 && message.toolName !== undefined ? (
        <PlainText text={shortName(message.toolName)} />
      ) : null}
      {few(calls, ({ name, msgId, callId }) => (
        <button
          type="button"
          className={styles.link}
          title={`Call ${spelled(callId, 120)}`}
          onClick={() => jumpTo(msgId)}
        >
          answers <PlainText text={shortName(name)} />, message {msgId}
        </button>
      ))}
      {few(unknown, (callId) => (
        <span>
          answers <PlainText text={shortName(callId)} />, a call that is not in this episode
        </span>
      ))}
    </p>
  );
}
