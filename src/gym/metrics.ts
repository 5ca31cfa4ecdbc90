/** What the server has done so far, of one environment. */

export interface Latency {
  readonly count: number;
  readonly mean_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
}

export interface Counts {
  readonly requests: number;
  /** Answers with a status of 400 and above. */
  readonly errors: number;
  readonly by_status: { readonly [status: string]: number };
  readonly by_endpoint: { readonly [endpoint: string]: number };
  readonly latency: Latency;
}

/** Percentiles are of the last thousand requests, the rest of all. */
const WINDOW = 1000;

export function createMetrics(): {
  record(endpoint: string, status: number, ms: number): void;
  counts(): Counts;
} {
  const recent: number[] = [];
  const statuses = new Map<string, number>();
  const endpoints = new Map<string, number>();
  let requests = 0;
  let errors = 0;
  let total = 0;
  let max = 0;
  return {
    record: (endpoint, status, ms) => {
      recent[requests % WINDOW] = ms;
      requests += 1;
      total += ms;
      max = Math.max(max, ms);
      if (status >= 400) errors += 1;
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      endpoints.set(endpoint, (endpoints.get(endpoint) ?? 0) + 1);
    },
    counts: () => {
      const sorted = [...recent].sort((a, b) => a - b);
      const percentile = (share: number): number => round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
      return {
        requests,
        errors,
        by_status: Object.fromEntries(statuses),
        by_endpoint: Object.fromEntries(endpoints),
        latency: {
          count: requests,
          mean_ms: requests === 0 ? 0 : round(total / requests),
          p50_ms: percentile(0.5),
          p95_ms: percentile(0.95),
          max_ms: round(max),
        },
      };
    },
  };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
