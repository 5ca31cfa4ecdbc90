import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { stepAfterKey, WHEEL_PER_STEP } from './keys';
import { stepAtX, type Plot } from './plot';

interface Scrubbing {
  /** The step under the pointer. */
  hovered: number | undefined;
  handlers: {
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onPointerLeave(): void;
  };
}

/** Choosing a step on the timeline: by click, drag, wheel and keys. */
export function useScrubbing(
  ref: RefObject<HTMLElement | null>,
  plot: Plot,
  step: number,
  onStep: (step: number, how?: 'push' | 'replace') => void,
): Scrubbing {
  const [hovered, setHovered] = useState<number>();
  const dragging = useRef(false);
  useWheel(ref, plot.steps, step, onStep);

  const stepUnder = (event: PointerEvent<HTMLElement>) =>
    stepAtX(plot, event.clientX - event.currentTarget.getBoundingClientRect().left);
  const release = () => {
    dragging.current = false;
  };

  return {
    hovered,
    handlers: {
      onKeyDown(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const next = stepAfterKey(event.key, step, plot.steps);
        if (next === undefined) return;
        event.preventDefault();
        if (next !== step) onStep(next, event.repeat ? 'replace' : 'push');
      },
      onPointerDown(event) {
        if (event.button !== 0) return;
        dragging.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        const next = stepUnder(event);
        if (next !== step) onStep(next, 'push');
      },
      onPointerMove(event) {
        const under = stepUnder(event);
        setHovered(under);
        if (dragging.current && under !== step) onStep(under, 'replace');
      },
      onPointerUp: release,
      onPointerCancel: release,
      onPointerLeave() {
        if (!dragging.current) setHovered(undefined);
      },
    },
  };
}

/** React listens to wheels passively; to keep the page still while the timeline moves, this one must not be. */
function useWheel(
  ref: RefObject<HTMLElement | null>,
  steps: number,
  step: number,
  onStep: (step: number, how: 'replace') => void,
): void {
  const latest = useRef({ steps, step, onStep });
  useEffect(() => {
    latest.current = { steps, step, onStep };
  });
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let travelled = 0;
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY;
      // Lines and pages, as some mice send them, are a notch each.
      travelled += event.deltaMode === 0 ? delta : Math.sign(delta) * WHEEL_PER_STEP;
      const moved = Math.trunc(travelled / WHEEL_PER_STEP);
      if (moved === 0) return;
      travelled -= moved * WHEEL_PER_STEP;
      const { steps: all, step: from, onStep: go } = latest.current;
      const next = Math.min(Math.max(from + moved, 0), all - 1);
      if (next !== from) go(next, 'replace');
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [ref]);
}
