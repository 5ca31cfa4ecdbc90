/**
 * Keys are written as a person reads them: `j`, `J` (with shift), `g g` (one after the other), `mod+k` (Ctrl, or
 * Cmd on a Mac).
 */

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** What stands on the keycaps: `keyLabels('g g')` is `['g', 'g']`, `keyLabels('mod+k')` is `['Ctrl', 'K']`. */
export function keyLabels(keys: string): string[] {
  return keys.split(' ').flatMap((stroke) => {
    if (!stroke.startsWith('mod+')) return [stroke];
    return [isMac ? '⌘' : 'Ctrl', stroke.slice('mod+'.length).toUpperCase()];
  });
}

export interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The notation of one pressed key, or undefined for chords that belong to the browser. */
export function strokeOf({ key, ctrlKey, metaKey, altKey }: Stroke): string | undefined {
  if (altKey || key.length === 0) return undefined;
  if (isMac ? ctrlKey : metaKey) return undefined;
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
}

/**
 * Feeds strokes one by one to a set of key sequences. `press` gives the sequence that is complete with this
 * stroke, if any. A sequence is forgotten when another key comes or after a second.
 */
export function sequences(all: () => readonly string[], now: () => number = Date.now) {
  let typed: string[] = [];
  let last = 0;
  return {
    press: (stroke: string): string | undefined => {
      if (now() - last > 1000) typed = [];
      last = now();
      for (const attempt of [[...typed, stroke], [stroke]]) {
        const text = attempt.join(' ');
        if (all().includes(text)) {
          typed = [];
          return text;
        }
        if (all().some((keys) => keys.startsWith(`${text} `))) {
          typed = attempt;
          return undefined;
        }
      }
      typed = [];
      return undefined;
    },
  };
}
