import { memo, useMemo, useState } from 'react';
import type { Episode, StepRow } from '../../model';
import { PlainText } from '../markdown';
import { piecesOf, sideOfPieces, type Piece } from './inline';
import { sectionsOf, type Section } from './sections';
import styles from './compare.module.css';

interface RowViewProps {
  row: StepRow;
  a: Episode;
  b: Episode;
  isFirst: boolean;
  isNow: boolean;
  onStep: (step: number) => void;
}

/** One row: what each of the two did at this step. What is the same stands once, and folded. */
export const RowView = memo(function RowView({ row, a, b, isFirst, isNow, onStep }: RowViewProps) {
  const sections = useMemo(() => sectionsOf(a, b, row), [a, b, row]);
  const [open, setOpen] = useState(false);
  const same = row.kind === 'both' && row.differences.length === 0;
  return (
    <section
      className={styles.step}
      data-same={same || undefined}
      data-first={isFirst || undefined}
      data-now={isNow || undefined}
      aria-label={titleOf(row)}
    >
      <h3>
        <button
          type="button"
          disabled={row.kind === 'a'}
          title={row.kind === 'a' ? undefined : 'Inspect this step'}
          onClick={() => {
            if (row.kind !== 'a') onStep(row.b);
          }}
        >
          {titleOf(row)}
        </button>
        {isFirst ? <b>first difference</b> : null}
        {same ? (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'same: fold' : 'same: show'}
          </button>
        ) : null}
      </h3>
      {same && !open
        ? null
        : sections.map((section, index) => (
            // Sections have no identity but their place in the step.
            // oxlint-disable-next-line react/no-array-index-key
            <SectionView key={index} section={section} />
          ))}
    </section>
  );
});

function titleOf(row: StepRow): string {
  if (row.kind === 'a') return `Step ${row.a}, pinned only`;
  if (row.kind === 'b') return `Step ${row.b}, open only`;
  return row.a === row.b ? `Step ${row.a}` : `Step ${row.a} and step ${row.b}`;
}

const names: Record<Section['what'], string> = {
  said: 'said',
  call: 'call',
  result: 'result',
  state: 'state after it',
};

/** Drawn no further than this: the whole text is in the episode. */
const longest = 6_000;

function SectionView({ section }: { section: Section }) {
  const { what, tool, a, b, same } = section;
  const pieces = useMemo(
    () => (same || a === undefined || b === undefined ? undefined : piecesOf(a, b)),
    [a, b, same],
  );
  const label = tool === undefined || what === 'call' ? names[what] : `${names[what]} of ${tool}`;
  return (
    <div className={styles.section} data-same={same || undefined}>
      <p className={styles.label}>{label}</p>
      <div className={styles.pair}>
        <Text text={a} pieces={pieces} side="a" />
        <Text text={b} pieces={pieces} side="b" />
      </div>
    </div>
  );
}

interface TextProps {
  text: string | undefined;
  pieces: readonly Piece[] | undefined;
  side: 'a' | 'b';
}

function Text({ text, pieces, side }: TextProps) {
  if (text === undefined) return <p className={styles.nothing}>nothing here</p>;
  if (pieces === undefined) {
    return (
      <pre className={styles.text}>
        <PlainText text={text.slice(0, longest)} />
        {text.length > longest ? '…' : ''}
      </pre>
    );
  }
  const { shown, whole } = sideOfPieces(pieces, side, longest);
  return (
    <pre className={styles.text}>
      {shown.map((piece, index) => {
        const Tag = piece.side === 'both' ? 'span' : side === 'a' ? 'del' : 'ins';
        return (
          // Pieces have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Tag key={index}>
            <PlainText text={piece.text} />
          </Tag>
        );
      })}
      {whole ? '' : '…'}
    </pre>
  );
}
