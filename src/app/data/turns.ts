import { flushSync } from 'react-dom';
import { ingest } from './ingest';

/** What waits to be drawn, in its order. */
const line: (() => void)[] = [];
let running = false;

/** Frames do not come in a tab that is not seen; what is drawn there must still come. */
const patience = 100;

function run(): void {
  running = true;
  makeWay();
  let next = () => {
    next = () => undefined;
    clearTimeout(timer);
    // After the frame, so that what was drawn before is on screen.
    setTimeout(() => {
      const begin = line.shift();
      if (begin !== undefined) {
        // It may have waited long for the frame.
        makeWay();
        // Now, rather than together with what comes from the worker meanwhile.
        flushSync(begin);
      }
      if (line.length > 0) run();
      else running = false;
    });
  };
  const timer = setTimeout(() => next(), patience);
  requestAnimationFrame(() => next());
}

function makeWay(): void {
  ingest()
    .makeWay()
    // A worker that has broken down says so to those who want something of it.
    .catch(() => undefined);
}

/** Calls back when all that asked before have begun, each in a frame of its own. Gives the way to ask no longer. */
export function inTurn(begin: () => void): () => void {
  // Another function each time, to be found again.
  const waiting = () => begin();
  line.push(waiting);
  if (!running) run();
  return () => {
    const place = line.indexOf(waiting);
    if (place >= 0) line.splice(place, 1);
  };
}
