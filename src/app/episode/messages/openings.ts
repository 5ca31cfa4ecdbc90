/** What the person, or a search, opened or closed, by key: it outlives the rows that scroll out of the page. */
export class Openings {
  private readonly known = new Map<string, boolean>();
  private readonly listeners = new Set<() => void>();

  get(key: string): boolean | undefined {
    return this.known.get(key);
  }

  set(key: string, open: boolean): void {
    if (this.known.get(key) === open) return;
    this.known.set(key, open);
    for (const listener of this.listeners) listener();
  }

  /** Pages of a long text that are shown, in a row from the first. */
  pages(key: string): number {
    let pages = 1;
    while (this.get(pageKey(key, pages)) === true) pages += 1;
    return pages;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** The key of one further page of a long text. */
export function pageKey(key: string, page: number): string {
  return `${key} page ${page}`;
}
