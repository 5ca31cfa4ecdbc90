import { stubOf, type ChatMessage, type ContextEdit, type Message } from '../../../model';
import { PlainText } from '../../markdown';
import { CHARACTERS, shortName } from '../fold';
import { few } from './few';
import { LongText } from './LongText';
import styles from './messages.module.css';
import { Parts } from './Parts';
import { contentText } from './seen';
import { useOpen, useSurroundings } from './surroundings';
import { ghostWords } from './words';

interface StubProps {
  message: Message;
  edit: ContextEdit | undefined;
  /** The stub as the loop wrote it, where that is known. */
  chat: ChatMessage | undefined;
}

/** What a delete left of a message, who did it, and the way to what stood here. */
export function Stub({ message, edit, chat }: StubProps) {
  const { measure } = useSurroundings();
  const key = `${message.msgId} original`;
  const [open, setOpen] = useOpen(key, false);
  const stub = chat ?? stubOf(message, edit);
  return (
    <>
      <div className={styles.stubText} data-find="stub">
        <LongText text={contentText(stub)} openKey={`${key} stub`} />
      </div>
      {few(stub.tool_calls ?? [], (call) => (
        <p className={styles.stubText}>
          <b>
            <PlainText text={shortName(call.function.name)} />
          </b>{' '}
          <PlainText text={shortName(call.function.arguments, CHARACTERS)} />
        </p>
      ))}
      <p className={styles.ghostBar}>
        <span>{ghostWords(edit, [message], measure)}</span>
        <button
          type="button"
          className={styles.ghostLink}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'hide what stood here' : 'show what stood here'}
        </button>
      </p>
      {open ? (
        <div className={styles.ghost}>
          <Parts message={message} openKey={key} />
        </div>
      ) : null}
    </>
  );
}

/** The original of a message that the model does not see any more, or will not from some step on. */
export function GhostOf({ message, edit }: { message: Message; edit: ContextEdit | undefined }) {
  const { measure } = useSurroundings();
  return (
    <>
      <Parts message={message} openKey={`${message.msgId} original`} />
      <p className={styles.ghostBar}>
        <span>{ghostWords(edit, [message], measure)}</span>
      </p>
    </>
  );
}
