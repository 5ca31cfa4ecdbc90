import type { ChatMessage, Message } from '../../../model';
import { PlainText } from '../../markdown';
import { LongText } from './LongText';
import styles from './messages.module.css';
import { Parts } from './Parts';
import { contentText, seenText, textChange, withoutReasoning, type SeenText } from './seen';
import { Tag } from './Tag';

interface SeenProps {
  message: Message;
  /** The message as the loop wrote it into the context, where that is known. */
  chat: ChatMessage | undefined;
}

/** A message as the model saw it, with what the loop made of it told apart from the message itself. */
export function Seen({ message, chat }: SeenProps) {
  const seen: SeenText = chat === undefined ? { kind: 'same' } : seenText(message, chat);
  const key = `${message.msgId}`;
  return (
    <>
      <Parts
        message={message}
        openKey={key}
        rewritten={seen.kind === 'rewritten' ? seen.text : undefined}
        reasoningUnseen={chat !== undefined && withoutReasoning(message, chat)}
      />
      {seen.kind === 'extended' ? (
        <div
          className={styles.appended}
          data-find="seen"
          title="Derived: the loop appends this when it renders the message."
        >
          <LongText text={seen.added.replace(/^\n+/, '')} openKey={`${key} added`} />
        </div>
      ) : null}
    </>
  );
}

/** Characters of what did not change that are shown on either side. */
const AROUND = 160;

/** What the loop wrote differently from the last step on. */
export function Rewritten({ chat, before }: { chat: ChatMessage; before: ChatMessage }) {
  const { lead, removed, added, tail } = textChange(contentText(before), contentText(chat));
  return (
    <div className={styles.exact}>
      <div>
        {lead.length > AROUND ? <Tag>{`${lead.length - AROUND} characters as before`}</Tag> : null}
        <PlainText text={lead.slice(-AROUND)} />
        {removed === '' ? null : (
          <del className={styles.removed}>
            <PlainText text={removed} />
          </del>
        )}
        {added === '' ? null : (
          <ins className={styles.added}>
            <PlainText text={added} />
          </ins>
        )}
        <PlainText text={tail.slice(0, AROUND)} />
        {tail.length > AROUND ? <Tag>{`${tail.length - AROUND} characters as before`}</Tag> : null}
      </div>
    </div>
  );
}
