import { PlainText } from './PlainText';
import styles from './text.module.css';
import { languageName, LINE_END } from './tokens';
import { useHighlighted } from './useHighlighted';

interface CodeBlockProps {
  code: string;
  language: string | undefined;
  /** False for what comes after enough of it. */
  coloured: boolean;
}

/** A fenced block: its language, and the code, coloured as soon as the highlighter is there. */
export function CodeBlock({ code, language, coloured }: CodeBlockProps) {
  const name = languageName(language);
  const spans = useHighlighted(code, coloured ? name : undefined);
  return (
    <pre className={styles.code}>
      {name === undefined ? null : (
        <span className={styles.language}>
          {name}
          {LINE_END}
        </span>
      )}
      <code>
        {spans === undefined ? (
          <PlainText text={code} />
        ) : (
          spans.map(({ text, scope }, index) => (
            // Spans of a text have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className={scope === undefined ? undefined : styles[colourOf(scope)]}>
              <PlainText text={text} />
            </span>
          ))
        )}
      </code>
    </pre>
  );
}

/** The few colours code has here. */
function colourOf(scope: string): string {
  switch (scope) {
    case 'keyword':
    case 'built_in':
    case 'type':
      return 'keyword';
    case 'string':
    case 'regexp':
    case 'char':
      return 'string';
    case 'number':
    case 'literal':
      return 'number';
    case 'comment':
    case 'meta':
    case 'doctag':
      return 'comment';
    case 'title':
    case 'attr':
      return 'title';
    default:
      return 'other';
  }
}
