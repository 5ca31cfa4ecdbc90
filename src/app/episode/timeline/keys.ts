/** The step a key of the slider leads to, or undefined for other keys. */
export function stepAfterKey(key: string, step: number, steps: number): number | undefined {
  const page = Math.max(1, Math.round(steps / 10));
  const moves: Readonly<Record<string, number | undefined>> = {
    ArrowRight: step + 1,
    ArrowUp: step + 1,
    ArrowLeft: step - 1,
    ArrowDown: step - 1,
    PageUp: step + page,
    PageDown: step - page,
    Home: 0,
    End: steps - 1,
  };
  const next = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return next === undefined ? undefined : Math.min(Math.max(next, 0), Math.max(0, steps - 1));
}

/** Scrolling that makes one step: a notch of a wheel is about 100, a touchpad sends many small ones. */
export const WHEEL_PER_STEP = 60;
