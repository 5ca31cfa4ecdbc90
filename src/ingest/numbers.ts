/** Numbers in an array that grows; about 8 bytes each. */
export class Numbers {
  private data = new Float64Array(0);
  length = 0;

  /** Leaves zeros in between where `index` is past the end. */
  set(index: number, value: number): void {
    if (index >= this.data.length) this.data = grown(this.data, new Float64Array(sizeFor(index)));
    this.data[index] = value;
    this.length = Math.max(this.length, index + 1);
  }

  push(value: number): void {
    this.set(this.length, value);
  }

  at(index: number): number {
    return this.data[index] ?? 0;
  }

  /** What has been set, without a copy. */
  view(): Float64Array {
    return this.data.subarray(0, this.length);
  }
}

/** Room for more than is asked for, so that growing is rare. */
export function sizeFor(index: number): number {
  return Math.max(64, Math.ceil((index + 1) * 1.5));
}

export function grown<T extends Float64Array | Uint8Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
