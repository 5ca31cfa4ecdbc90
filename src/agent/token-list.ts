/**
 * Token ids that grow at their end. Parts of it are handed out without copying, and stay as they were: what lies before
 * the end is never written again.
 */
export class TokenList {
  #ids = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(ids: ArrayLike<number>): void {
    const length = this.#length + ids.length;
    if (length > this.#ids.length) this.#ids = this.#copy(Math.max(2 * this.#ids.length, length));
    this.#ids.set(ids, this.#length);
    this.#length = length;
  }

  /** Goes back to the first `length` ids. They get memory of their own: the rest may still be in use. */
  keep(length: number): void {
    if (length >= this.#length) return;
    this.#length = length;
    this.#ids = this.#copy(Math.max(1024, length));
  }

  part(start: number, end: number): Int32Array {
    return this.#ids.subarray(start, end);
  }

  /** How many ids it has in common with a list, from the beginning. */
  sharedWith(ids: ArrayLike<number>): number {
    const most = Math.min(this.#length, ids.length);
    let shared = 0;
    while (shared < most && this.#ids[shared] === ids[shared]) shared += 1;
    return shared;
  }

  #copy(capacity: number): Int32Array<ArrayBuffer> {
    const copy = new Int32Array(capacity);
    copy.set(this.#ids.subarray(0, this.#length));
    return copy;
  }
}
