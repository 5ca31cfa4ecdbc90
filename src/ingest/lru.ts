/** The last few values asked for. */
export class Lru<V> {
  private readonly values = new Map<string, V>();
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  get(key: string): V | undefined {
    const value = this.values.get(key);
    if (value !== undefined) {
      this.values.delete(key);
      this.values.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): void {
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.size && oldest !== undefined) this.values.delete(oldest);
  }

  deleteWhere(matches: (key: string) => boolean): void {
    for (const key of this.values.keys()) if (matches(key)) this.values.delete(key);
  }
}
