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

let port: MessagePort | undefined;
const waiting: (() => void)[] = [];

function openChannel(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => waiting.shift()?.());
  port1.start();
  return port2;
}

/** Breathes when more than this many milliseconds have passed since it last did: about half a frame of the page. */
export function breather(every = 8): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < every) return undefined;
    return breathe()
      .then(standAside)
      .then(() => {
        last = performance.now();
      });
  };
}

/** As long as one thing takes to be drawn, where few cores do everything; whoever draws more says so again. */
const asideMs = 100;
let asideUntil = 0;

/** Whatever breathes from now on waits a little before it goes on. */
export function makeWay(): void {
  asideUntil = performance.now() + asideMs;
}

async function standAside(): Promise<void> {
  for (let left = 0; (left = asideUntil - performance.now()) > 0;) {
    await new Promise((resolve) => setTimeout(resolve, left));
  }
}
