/**
 * What an episode's environment was asked and what it kept: the requests to its server and the session's state after
 * them. Recorded by live runs; rebuilt by a replay for episodes that came without.
 */

/** Sent by the loop to the environment's server: the seed, one tool call, the verification. In the order they were sent. */
export interface Exchange {
  /** The step whose calls brought it; -1 before the first; the last one for the verification. */
  step: number;
  purpose: 'seed' | 'call' | 'verify' | 'other';
  /** The tool call it carried out. */
  callId?: string;
  request: ExchangeRequest;
  /** Absent where none came: `error` says why. */
  response?: ExchangeResponse;
  error?: string;
  /** Milliseconds since the epoch, and how long it took. */
  startedAt?: number;
  ms?: number;
  /** The session that the server answered for, where it can be told. */
  session?: string;
}

export interface ExchangeRequest {
  method: string;
  url: string;
  headers: Header[];
  /** The `Cookie` header; absent where none was sent. */
  cookie?: string;
  body?: string;
}

export interface ExchangeResponse {
  status: number;
  /** Without `Set-Cookie`. */
  headers: Header[];
  setCookies: string[];
  body: string;
}

export type Header = [name: string, value: string];

/** The session's state as the server kept it. */
export interface SessionState {
  /** After this step; -1 after seeding. Several of one step stand in the order of their exchanges. */
  step: number;
  /** The exchange that left it so: an index into the episode's exchanges. */
  exchange?: number;
  session?: string;
  /** JSON. Absent where the server keeps nothing for the session. */
  value?: unknown;
  /** A person changed it by hand. */
  edited?: true;
}
