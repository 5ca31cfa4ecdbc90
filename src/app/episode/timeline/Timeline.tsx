import { useCallback, useMemo, useRef, type ReactNode } from 'react';
import { budgetTools, type Budget, type Episode } from '../../../model';
import type { ContextMeasure } from '../measure';
import { useSize } from '../useSize';
import { drawTimeline, paletteOf, rows } from './draw';
import { Legend } from './Legend';
import { glyphsOf, type StepMarks } from './marks';
import { layersOf, limitInReach, plotOf, xOfStep, type Plot } from './plot';
import { StepTip } from './StepTip';
import styles from './timeline.module.css';
import { useCanvas } from './useCanvas';
import { useScrubbing } from './useScrubbing';

interface TimelineProps {
  episode: Episode;
  step: number;
  onStep: (step: number, how?: 'push' | 'replace') => void;
  budgets: readonly Budget[];
  marks: ReadonlyMap<number, StepMarks>;
  measure: ContextMeasure;
  /** Of how many steps the total is recorded. */
  recorded: 'all' | 'some' | 'none';
  /** Height of the bars. */
  height: number;
  /** Where another way to count can be chosen. */
  children?: ReactNode;
}

/** How full the context was at every step, and the scrubber to choose one. */
export function Timeline(props: TimelineProps) {
  return (
    <section aria-label="Timeline" className={styles.timeline}>
      {props.episode.steps.length === 0 ? <NoSteps /> : <Scrubber {...props} />}
    </section>
  );
}

function Scrubber({
  episode,
  step,
  onStep,
  budgets,
  marks,
  measure,
  recorded,
  height: bars,
  children,
}: TimelineProps) {
  const ref = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(ref);
  const steps = episode.steps.length;
  const plot = useMemo(() => plotOf(width, steps, bars), [width, steps, bars]);
  const edited = episode.edits.length > 0;
  const layers = useMemo(() => layersOf(budgetTools(episode), budgets), [episode, budgets]);
  const marked = useMemo(() => [...marks.values()].some((mark) => glyphsOf(mark).length > 0), [marks]);
  const height = rows.top + bars + rows.axis + (marked ? rows.marks : 0);
  const reachable = measure.limit !== undefined && limitInReach(budgets, measure.limit.value);
  const limit = reachable ? measure.limit : undefined;

  const paint = useCallback(
    (context: CanvasRenderingContext2D, pixel: number) =>
      drawTimeline(
        context,
        { plot, budgets, layers, marks, edited, ...(limit === undefined ? {} : { limit }) },
        paletteOf(context.canvas),
        pixel,
      ),
    [plot, budgets, layers, marks, edited, limit],
  );
  useCanvas(canvas, width, height, paint);
  const { hovered, handlers } = useScrubbing(ref, plot, step, onStep);

  return (
    <>
      <Legend measure={measure} recorded={recorded} layers={layers} edited={edited} limitDrawn={reachable}>
        {children}
      </Legend>
      <div
        ref={ref}
        // A native range cannot be drawn into.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={steps - 1}
        aria-valuenow={step}
        aria-valuetext={`Step ${step} of ${steps}`}
        className={styles.scrubber}
        style={{ height }}
        {...handlers}
      >
        <canvas ref={canvas} className={styles.canvas} style={{ height }} />
        {hovered === undefined || hovered === step ? null : (
          <div className={styles.hovered} style={frameOf(plot, hovered)} />
        )}
        {width === 0 ? null : <div className={styles.chosen} style={frameOf(plot, step)} />}
      </div>
      {hovered === undefined ? null : (
        <StepTip
          step={hovered}
          budget={budgets[hovered]}
          layers={layers}
          marks={marks.get(hovered)}
          unit={measure.unit}
          about={episode.steps[hovered]?.tokens === undefined ? measure.about : ''}
          x={xOfStep(plot, hovered)}
          width={width}
        />
      )}
    </>
  );
}

/** The frame around a step's column, wide enough to be seen where columns are a pixel. */
function frameOf(plot: Plot, step: number): { left: number; width: number; top: number; height: number } {
  const width = Math.max(7, Math.round(Math.min(plot.bar + 6, plot.slot + 4)));
  return {
    left: Math.round(xOfStep(plot, step) - width / 2),
    width,
    top: rows.top - 4,
    height: plot.height + 6,
  };
}

function NoSteps() {
  return <p className={styles.none}>No model call in this record: there is nothing to step through.</p>;
}
