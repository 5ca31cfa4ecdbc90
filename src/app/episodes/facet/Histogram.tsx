import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { Facet } from '../../../ingest/protocol';
import { counted, formatNumber } from '../../words/format';
import type { NumberRange } from '../filter/terms';
import { rangeAfterKey, rangeBetween, shareOf, valueAt, type Thumb } from './range';
import styles from './facet.module.css';

interface HistogramProps {
  /** Of what: `reward`. */
  name: string;
  numbers: NonNullable<Facet['numbers']>;
  /** What is chosen; undefined for everything. */
  range: NumberRange | undefined;
  onRange: (range: NumberRange | undefined, how: 'push' | 'replace') => void;
}

/** Pixels a hand moves without meaning to. */
const still = 3;
/** Pixels beside a thumb that still are the thumb. */
const reach = 6;

/** The bars of a column. A drag chooses a range, a click one bar; two sliders do the same with keys. */
export function Histogram({ name, numbers, range, onRange }: HistogramProps) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ anchor: number; now: number; moved: boolean }>();
  const moving = useRef(false);
  const { bins } = numbers;
  const extent = { min: numbers.min, max: numbers.max };
  const brushed: NumberRange | undefined =
    drag?.moved === true ? rangeBetween(drag.anchor, drag.now, extent) : range;
  const from = Math.max(extent.min, brushed?.from ?? extent.min);
  const to = Math.min(extent.max, brushed?.to ?? extent.max);
  const flat = extent.min === extent.max;

  function valueUnder(event: PointerEvent): number {
    const box = area.current?.getBoundingClientRect();
    return box === undefined ? extent.min : valueAt((event.clientX - box.left) / box.width, extent);
  }

  function onPointerDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const now = valueUnder(event);
    const width = area.current?.clientWidth ?? 1;
    const near = (value: number) =>
      range !== undefined && Math.abs(shareOf(value, extent) - shareOf(now, extent)) * width < reach;
    // A thumb that is taken hold of moves against the other one.
    const anchor = near(from) ? to : near(to) ? from : now;
    setDrag({ anchor, now, moved: anchor !== now });
    event.currentTarget.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    if (drag === undefined) return;
    const now = valueUnder(event);
    const width = area.current?.clientWidth ?? 1;
    const distance = Math.abs(shareOf(now, extent) - shareOf(drag.anchor, extent)) * width;
    setDrag({ ...drag, now, moved: drag.moved || distance > still });
  }

  function onPointerUp(): void {
    if (drag === undefined) return;
    setDrag(undefined);
    if (drag.moved) onRange(rangeBetween(drag.anchor, drag.now, extent), 'push');
    else chooseBin(drag.now);
  }

  function chooseBin(value: number): void {
    const at = bins.findLastIndex((bin) => bin.from <= value);
    const bin = bins[at];
    // Its upper edge belongs to the next one.
    if (bin !== undefined)
      onRange({ from: bin.from, to: bin.to, toIncluded: at === bins.length - 1 }, 'push');
  }

  function onKeyDown(event: KeyboardEvent, thumb: Thumb): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const after = rangeAfterKey(event.key, thumb, range, extent);
    if (after !== undefined) {
      onRange(after.range, moving.current ? 'replace' : 'push');
      moving.current = true;
    } else if ((event.key === 'Escape' || event.key === 'Delete') && range !== undefined) {
      onRange(undefined, 'push');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const thumb = (which: Thumb, value: number, label: string) => (
    <div
      // A range input has one thumb.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={which === 'from' ? extent.min : from}
      aria-valuemax={which === 'from' ? to : extent.max}
      aria-valuenow={value}
      aria-valuetext={formatNumber(value)}
      className={styles.thumb}
      data-at={which}
      data-set={brushed !== undefined || undefined}
      style={{ left: `${shareOf(value, extent) * 100}%` }}
      onKeyDown={(event) => onKeyDown(event, which)}
      onBlur={() => {
        moving.current = false;
      }}
    />
  );
  return (
    // It holds the sliders that do with keys what it does with the pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={area}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={`${name} from ${formatNumber(extent.min)} to ${formatNumber(extent.max)}`}
      className={styles.histogram}
      onPointerDown={flat ? undefined : onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={() => onRange(undefined, 'replace')}
    >
      <Bars
        bins={bins}
        from={from}
        fromIncluded={brushed?.fromIncluded ?? true}
        to={to}
        toIncluded={brushed?.toIncluded ?? true}
      />
      {brushed === undefined ? null : (
        <div
          aria-hidden
          className={styles.brush}
          style={{ left: `${shareOf(from, extent) * 100}%`, right: `${(1 - shareOf(to, extent)) * 100}%` }}
        />
      )}
      {flat ? null : thumb('from', from, `Lowest ${name}`)}
      {flat ? null : thumb('to', to, `Highest ${name}`)}
    </div>
  );
}

interface BarsProps extends Required<NumberRange> {
  bins: NonNullable<Facet['numbers']>['bins'];
}

const Bars = memo(function Bars({ bins, ...range }: BarsProps) {
  const highest = bins.reduce((most, { count }) => Math.max(most, count), 1);
  return (
    <div aria-hidden className={styles.bars}>
      {bins.map((bin, at) => (
        <div
          key={bin.from}
          className={styles.slot}
          title={`${formatNumber(bin.from)} to ${formatNumber(bin.to)}: ${counted(bin.count, 'episode')}`}
        >
          <div
            className={styles.bar}
            data-in={isWithin(bin, at === bins.length - 1, range) || undefined}
            style={{ height: bin.count === 0 ? 0 : `max(2px, ${(bin.count / highest) * 100}%)` }}
          />
        </div>
      ))}
    </div>
  );
});

/** Whether a bar has something of the range. */
function isWithin(
  bin: { from: number; to: number },
  last: boolean,
  { from, fromIncluded, to, toIncluded }: Required<NumberRange>,
): boolean {
  return (
    (last && fromIncluded ? bin.to >= from : bin.to > from) && (toIncluded ? bin.from <= to : bin.from < to)
  );
}
