import type { Json, JsonObject } from '../json';

export interface ProfileCall {
  /** `/increment_counter` */
  readonly path: string;
  readonly body: JsonObject;
}

/** What the checklist has to know of a server: how to start a session, change it, look at it, and what it should then see. */
export type ChecklistProfile = StatelessProfile | StatefulProfile;

export interface StatelessProfile {
  readonly name: string;
  readonly stateful: false;
  /** A call that must work without a seed. */
  readonly call: ProfileCall;
}

export interface StatefulProfile {
  readonly name: string;
  readonly stateful: true;
  readonly seed: JsonObject;
  /** Another start, which must look different from the first, written or not. */
  readonly otherSeed: JsonObject;
  readonly write: ProfileCall;
  /** `at` is the way to the value in the answer: `data.notes`. A value that is not there counts as null. */
  readonly read: ProfileCall & { readonly at: string };
  readonly seen: {
    readonly seeded: Json;
    readonly written: Json;
    readonly otherSeeded: Json;
    /** After the seed and this many writes at the same time. */
    readonly concurrent: { readonly writes: number; readonly value: Json };
  };
  /** Right after the seed and one write. */
  readonly verify: { readonly body: JsonObject; readonly reward: number };
  /** Seconds; else asked of the server's `/metrics`. */
  readonly idle?: { readonly timeout: number; readonly interval: number };
}
