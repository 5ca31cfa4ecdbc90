/** Lets messages (a cancel, a question from the page) in between two pieces of work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    // A timer would wait 4 ms in a browser. One channel for all: to make one takes longer than to send something.
    port ??= openChannel();
    waiting.push(resolve);
    port.postMessage(undefined);
  });
}

export function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms);
  });
}

let port: MessagePort | undefined;
const waiting: (() => void)[] = [];

function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return port2;
}

/** Milliseconds of work between two breaths: about half a frame of the page. */
const shortest = 8;
/** Who wants it to stop does not have to wait longer. */
const longest = 50;

/** Breathes between pieces of work, now and then. The work gets as much time as those whom it let in took. */
export function breather(): () => Promise<void> | undefined {
  let last = performance.now();
  let work = shortest;
  return () => {
    const begun = performance.now();
    if (begun - last < work) return undefined;
    asideLeft = Math.min(mostAside, asideLeft + (begun - last));
    return breathe()
      .then(() => {
        work = Math.min(Math.max(performance.now() - begun, shortest), longest);
      })
      .then(standAside)
      .then(() => {
        last = performance.now();
      });
  };
}

/** As long as one thing takes to be drawn, where few cores do everything; whoever draws more says so again. */
const asideMs = 100;
let asideUntil = 0;

/** As long as a file's first rows and its first episode take to be drawn. Later the work gets as much time as it gives. */
const mostAside = 1000;
let asideLeft = mostAside;

/** Whatever breathes from now on waits a little before it goes on. */
export function makeWay(): void {
  asideUntil = performance.now() + asideMs;
}

async function standAside(): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const now = performance.now();
    const left = Math.min(asideUntil - now, asideLeft - (now - begun));
    if (left <= 0) break;
    await new Promise((resolve) => setTimeout(resolve, left));
  }
  asideLeft -= performance.now() - begun;
}
