import type { Exchange } from '../../../model';

/** One line of the list: the exchange, its number in the episode, and whether it speaks to another session than the last. */
export interface ExchangeRow {
  exchange: Exchange;
  index: number;
  /** The sessions before and after, where this exchange is the first to be answered for another one. */
  switched?: { from: string; to: string };
}

export function exchangeRows(exchanges: readonly Exchange[]): ExchangeRow[] {
  let session: string | undefined;
  return exchanges.map((exchange, index) => {
    const from = session;
    session = exchange.session ?? session;
    return from === undefined || session === undefined || from === session
      ? { exchange, index }
      : { exchange, index, switched: { from, to: session } };
  });
}

/** `/increment_counter` of `http://127.0.0.1:8000/stateful_counter/increment_counter?x=1`: what tells requests apart. */
export function pathOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed === undefined ? url : `/${parsed.pathname.split('/').at(-1) ?? ''}${parsed.search}`;
}

/** A body as it is read best: JSON with its levels, anything else as it is. */
export function readable(body: string): string {
  // Formatting what is this long helps nobody and costs the page a second.
  if (body.length > 200_000) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
