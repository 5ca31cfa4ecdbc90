import { useMemo } from 'react';
import { isJson, partText, type Message, type Part } from '../../../model';
import { FIRST_PARTS, MORE_PARTS, shortName } from '../fold';
import { LONGEST } from '../json/pretty';
import { counted, formatCount } from '../../words/format';
import { CallPart } from './CallPart';
import { FoldedText } from './FoldedText';
import { markdownParts, MayBeMarkdown } from './markdownShare';
import { ImagePart } from './ImagePart';
import { JsonText } from './JsonText';
import styles from './messages.module.css';
import { ReasoningPart } from './ReasoningPart';
import { useOpen } from './surroundings';
import { Tag } from './Tag';

interface PartsProps {
  message: Message;
  /** Unique within the episode. */
  openKey: string;
  /** The loop did not send the reasoning again. */
  reasoningUnseen?: boolean;
  /** What the loop made of its texts, where the model saw that instead of them. */
  rewritten?: string | undefined;
}

/** Everything a message consists of, in order. */
export function Parts({ message, openKey, reasoningUnseen = false, rewritten }: PartsProps) {
  const parts = shownParts(message, rewritten);
  if (parts.length === 0) return <p className={styles.quietWord}>empty: the message has no content</p>;
  return (
    <PartsFrom
      parts={parts}
      role={message.role}
      start={0}
      end={FIRST_PARTS}
      openKey={openKey}
      reasoningUnseen={reasoningUnseen}
      asMarkdown={markdownParts(message.parts)}
    />
  );
}

interface ShownPart {
  part: Part;
  /** Its place in the message. */
  index: number;
  isRewritten: boolean;
}

/** What was made of the texts stands in the place of the first: a result that the loop rewrites is not drawn anew. */
function shownParts({ parts }: Message, rewritten: string | undefined): ShownPart[] {
  const own = parts.map((part, index) => ({ part, index, isRewritten: false }));
  if (rewritten === undefined) return own;
  const isText = ({ part }: ShownPart) => part.kind === 'text' || part.kind === 'json';
  const index = own.find(isText)?.index ?? -1;
  const part: Part = { kind: 'json', text: rewritten };
  return [{ part, index, isRewritten: true }, ...own.filter((each) => !isText(each))];
}

interface PartsFromProps {
  parts: readonly ShownPart[];
  role: Message['role'];
  start: number;
  end: number;
  openKey: string;
  reasoningUnseen: boolean;
  /** How many of the first parts may be drawn as Markdown. */
  asMarkdown: number;
}

function PartsFrom({ start, end, ...props }: PartsFromProps) {
  const { parts, role, openKey, reasoningUnseen, asMarkdown } = props;
  const [open, setOpen] = useOpen(`${openKey} parts from ${end}`, false);
  const rest = parts.length - end;
  return (
    <>
      {parts.slice(start, end).map(({ part, index, isRewritten }) => {
        const name = isRewritten ? 'seen' : index;
        return (
          <MayBeMarkdown key={index} value={index < asMarkdown}>
            <div className={styles.findable} data-find={name}>
              <PartView
                part={part}
                role={role}
                openKey={`${openKey} ${name}`}
                reasoningUnseen={reasoningUnseen}
              />
            </div>
          </MayBeMarkdown>
        );
      })}
      {rest > 0 && open ? <PartsFrom {...props} start={end} end={end + MORE_PARTS} /> : null}
      {rest > 0 && !open ? (
        <button type="button" className={styles.showAll} onClick={() => setOpen(true)}>
          {rest > MORE_PARTS
            ? `Show ${formatCount(MORE_PARTS)} of ${formatCount(rest)} more parts`
            : `Show ${counted(rest, 'more part')}`}
        </button>
      ) : null}
    </>
  );
}

interface PartViewProps {
  part: Part;
  role: Message['role'];
  openKey: string;
  reasoningUnseen: boolean;
}

function PartView({ part, role, openKey, reasoningUnseen }: PartViewProps) {
  switch (part.kind) {
    case 'text':
      return <TextPart text={part.text} mayBeJson={role === 'tool'} openKey={openKey} />;
    case 'reasoning':
      return <ReasoningPart part={part} openKey={openKey} unseen={reasoningUnseen} />;
    case 'sealed':
      return (
        <p className={styles.quietWord}>
          reasoning: encrypted, {formatCount(part.bytes)} bytes: cannot be shown
        </p>
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
            {`unknown part: ${shortName(part.type)}`}
          </Tag>
          <TextPart text={partText(part)} mayBeJson openKey={openKey} />
        </div>
      );
  }
}

interface TextPartProps {
  text: string;
  mayBeJson: boolean;
  openKey: string;
}

function TextPart({ text, mayBeJson, openKey }: TextPartProps) {
  const json = useMemo(
    () => mayBeJson && text.length <= LONGEST && /^\s*[[{]/.test(text) && isJson(text),
    [mayBeJson, text],
  );
  if (text === '') return <p className={styles.quietWord}>empty text</p>;
  return json ? <JsonText text={text} openKey={openKey} /> : <FoldedText text={text} openKey={openKey} />;
}
