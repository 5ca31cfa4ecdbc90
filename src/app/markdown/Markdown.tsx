import { Fragment, memo, useMemo, type ReactNode } from 'react';
import type { MarkedToken, Token, Tokens } from 'marked';
import { AsItIs } from './AsItIs';
import { CodeBlock } from './CodeBlock';
import { decodeEntities } from './entities';
import { imageName, safeHref, writtenHref } from './links';
import { headingLevels, parseMarkdown } from './parse';
import { PlainText } from './PlainText';
import styles from './text.module.css';
import { colouredBlocks, DEEPEST, imageWords, isBlock, joinLines, knownTokens, LINE_END } from './tokens';

/** Headings of a message stand below the message's own, which is an h3. */
const FIRST_LEVEL = 4;

interface MarkdownProps {
  text: string;
  /** The text as it is, shown where it is too much to be drawn as Markdown. */
  plain?: ReactNode;
}

/**
 * Rollout text as Markdown. Tokens become React elements one by one; no HTML is ever made or parsed, so nothing in
 * the text can become an element, an attribute or a request.
 */
export function Markdown({ text, plain }: MarkdownProps) {
  const parsed = useMemo(() => parseMarkdown(text), [text]);
  if (parsed.kind === 'tokens') return <Document tokens={parsed.tokens} />;
  return (
    <>
      <AsItIs why={parsed.why} />
      {plain ?? (
        <div className={styles.plain}>
          <PlainText text={text} />
        </div>
      )}
    </>
  );
}

const Document = memo(function Document({ tokens }: { tokens: readonly MarkedToken[] }) {
  const headings = tokens.filter((token) => token.type === 'heading');
  const levels = headingLevels(
    headings.map(({ depth }) => depth),
    FIRST_LEVEL,
  );
  const levelOf = new Map(headings.map((heading, index) => [heading, levels[index] ?? FIRST_LEVEL]));
  const coloured = colouredBlocks(tokens);
  return <div className={styles.markdown}>{drawAll(tokens, { depth: 0, levelOf, coloured })}</div>;
});

interface Surroundings {
  depth: number;
  levelOf: ReadonlyMap<MarkedToken, number>;
  /** The blocks of code that get colours. */
  coloured: ReadonlySet<MarkedToken>;
}

function drawAll(tokens: readonly Token[], around: Surroundings): ReactNode {
  return knownTokens(tokens).map((token, index) => (
    // Tokens of a text have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {draw(token, around)}
      {index < tokens.length - 1 && isBlock(token) ? LINE_END : null}
    </Fragment>
  ));
}

function draw(token: MarkedToken, around: Surroundings): ReactNode {
  const inner = { ...around, depth: around.depth + 1 };
  if (inner.depth > DEEPEST) return <PlainText text={token.raw} />;
  switch (token.type) {
    case 'paragraph':
      return <p>{drawAll(token.tokens, inner)}</p>;
    case 'heading':
      return drawHeading(token, around.levelOf.get(token), inner);
    case 'blockquote':
      return <blockquote>{drawAll(token.tokens, inner)}</blockquote>;
    case 'list':
      return drawList(token, inner);
    case 'list_item':
      return <li>{drawAll(token.tokens, inner)}</li>;
    case 'code':
      return <CodeBlock code={token.text} language={token.lang} coloured={around.coloured.has(token)} />;
    case 'table':
      return drawTable(token, inner);
    case 'hr':
      return <hr />;
    case 'strong':
      return <strong>{drawAll(token.tokens, inner)}</strong>;
    case 'em':
      return <em>{drawAll(token.tokens, inner)}</em>;
    case 'del':
      return <del>{drawAll(token.tokens, inner)}</del>;
    case 'codespan':
      return (
        <code>
          <PlainText text={token.text} />
        </code>
      );
    case 'br':
      return (
        <>
          {LINE_END}
          <br />
        </>
      );
    case 'link':
      return drawLink(token, inner);
    case 'image':
      return drawImage(token);
    case 'checkbox':
      return <span title={token.checked ? 'done' : 'not done'}>{token.checked ? '☑ ' : '☐ '}</span>;
    case 'text':
      return token.tokens === undefined ? (
        <PlainText text={joinLines(decodeEntities(token.text))} />
      ) : (
        drawAll(token.tokens, inner)
      );
    case 'escape':
      return <PlainText text={token.text} />;
    case 'html':
      return (
        <span className={token.block ? styles.htmlBlock : styles.html}>
          <PlainText text={token.block ? token.text.trimEnd() : token.text} />
        </span>
      );
    case 'def':
      return (
        <p className={styles.html}>
          <PlainText text={token.raw.trimEnd()} />
        </p>
      );
    case 'space':
      return null;
  }
}

function drawHeading(token: Tokens.Heading, level: number | undefined, around: Surroundings): ReactNode {
  const content = drawAll(token.tokens, around);
  // Inside a quote or a list it is only large text: it is no part of the page's outline.
  if (level === undefined) return <p className={styles.heading}>{content}</p>;
  if (level <= 4) return <h4>{content}</h4>;
  return level === 5 ? <h5>{content}</h5> : <h6>{content}</h6>;
}

function drawList(token: Tokens.List, around: Surroundings): ReactNode {
  const items = drawAll(token.items, around);
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>;
}

/* eslint-disable react/no-array-index-key -- cells have no identity but their place */
function drawTable(token: Tokens.Table, around: Surroundings): ReactNode {
  return (
    // It scrolls sideways on its own, so the keyboard must reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
    <div className={styles.tableScroll} tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, column) => (
              <th key={column} scope="col" data-align={cell.align ?? undefined}>
                {drawAll(cell.tokens, around)}
                {LINE_END}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} data-align={cell.align ?? undefined}>
                  {drawAll(cell.tokens, around)}
                  {LINE_END}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
/* eslint-enable react/no-array-index-key */

function drawLink(token: Tokens.Link, around: Surroundings): ReactNode {
  const written = writtenHref(token);
  const href = safeHref(written);
  const content = drawAll(token.tokens, around);
  if (href === undefined) {
    return (
      <span>
        {content}{' '}
        <span className={styles.html}>
          (<PlainText text={written} />)
        </span>
      </span>
    );
  }
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  );
}

/** An image of a text would be a request nobody asked for. */
function drawImage(token: Tokens.Image): ReactNode {
  return (
    <span className={styles.image} title="Rollscope makes no requests for what a rollout names.">
      {imageWords}
      <PlainText text={imageName(token)} />
    </span>
  );
}
