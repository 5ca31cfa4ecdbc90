import { partText, type Message, type Part } from '../../../model';
import { LONGEST } from '../json/pretty';
import { isJson } from '../../../model/json-text';
import { useMemo } from 'react';
import { CallPart } from './CallPart';
import { FoldedText } from './FoldedText';
import { ImagePart } from './ImagePart';
import { JsonText } from './JsonText';
import styles from './messages.module.css';
import { ReasoningPart } from './ReasoningPart';
import { Tag } from './Tag';
import { count } from '../numbers';

/** Everything a message consists of, in order. */
export function Parts({ message, openKey }: { message: Message; openKey: string }) {
  if (message.parts.length === 0)
    return <p className={styles.quietWord}>empty: the message has no content</p>;
  return message.parts.map((part, index) => (
    // Parts never move.
    // oxlint-disable-next-line react/no-array-index-key
    <PartView key={index} part={part} role={message.role} openKey={`${openKey} ${index}`} />
  ));
}

function PartView({ part, role, openKey }: { part: Part; role: Message['role']; openKey: string }) {
  switch (part.kind) {
    case 'text':
      return <TextPart text={part.text} mayBeJson={role === 'tool'} openKey={openKey} />;
    case 'reasoning':
      return <ReasoningPart part={part} openKey={openKey} />;
    case 'sealed':
      return (
        <p className={styles.quietWord}>reasoning: encrypted, {count(part.bytes)} bytes: cannot be shown</p>
      );
    case 'call':
      return <CallPart call={part.call} openKey={openKey} />;
    case 'image':
      return <ImagePart url={part.url} />;
    case 'refusal':
      return (
        <div>
          <Tag tone="warn" title="The model declined to answer.">
            refusal
          </Tag>
          <FoldedText text={part.text} openKey={openKey} />
        </div>
      );
    case 'json':
      return <TextPart text={part.text} mayBeJson openKey={openKey} />;
    case 'unknown':
      return (
        <div>
          <Tag title="Rollscope does not know this kind of content and shows it as it is.">
            {`unknown part: ${part.type}`}
          </Tag>
          <TextPart text={partText(part)} mayBeJson openKey={openKey} />
        </div>
      );
  }
}

function TextPart({ text, mayBeJson, openKey }: { text: string; mayBeJson: boolean; openKey: string }) {
  const json = useMemo(
    () => mayBeJson && text.length <= LONGEST && /^\s*[[{]/.test(text) && isJson(text),
    [mayBeJson, text],
  );
  if (text === '') return <p className={styles.quietWord}>empty text</p>;
  if (json) return <JsonText text={text} openKey={openKey} />;
  return <FoldedText text={text} openKey={openKey} />;
}
