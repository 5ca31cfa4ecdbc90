import { PolicyError, type Emission, type Policy, type PolicyRequest } from '../policy';

/** A person writes the turns. */
export interface ManualPolicy extends Policy {
  /** What is waiting for an answer. */
  readonly waiting: PolicyRequest | undefined;
  /** Answers it. Throws where nothing is waiting. */
  submit(emission: Emission): void;
  /** Gives up on it: the run ends with a policy error. */
  cancel(reason?: string): void;
  /** Tells when something starts or stops waiting; the result ends it. */
  subscribe(listener: () => void): () => void;
}

export function manualPolicy(name = 'manual'): ManualPolicy {
  const listeners = new Set<() => void>();
  let open: { request: PolicyRequest; settle: Settle } | undefined;
  const change = (next: typeof open): void => {
    open = next;
    for (const listener of listeners) listener();
  };
  const take = (): Settle => {
    if (open === undefined) throw new Error('Nothing is waiting for an answer.');
    const { settle } = open;
    change(undefined);
    return settle;
  };
  return {
    name,
    get waiting() {
      return open?.request;
    },
    emit: (request) =>
      new Promise<Emission>((resolve, reject) => {
        if (open !== undefined) {
          reject(new PolicyError('Another turn is still being written.'));
          return;
        }
        const stop = (): void => {
          if (open?.request === request) take().reject(new PolicyError('The run was stopped.'));
        };
        if (request.signal.aborted) {
          reject(new PolicyError('The run was stopped.'));
          return;
        }
        request.signal.addEventListener('abort', stop, { once: true });
        const done = (): void => request.signal.removeEventListener('abort', stop);
        change({
          request,
          settle: {
            resolve: (emission) => {
              done();
              resolve(emission);
            },
            reject: (error) => {
              done();
              reject(error);
            },
          },
        });
      }),
    submit: (emission) => take().resolve(emission),
    cancel: (reason = 'No answer was given.') => take().reject(new PolicyError(reason)),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface Settle {
  resolve(emission: Emission): void;
  reject(error: PolicyError): void;
}
