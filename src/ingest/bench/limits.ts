import { blobBytes, decode } from '../bytes';
import { LineSplitter } from '../lines';

/** What the machine can do with a file, measured where the reader works: in a worker. All in milliseconds. */

/** The bytes come, and nothing is done with them. */
export async function streamed(file: Blob): Promise<number> {
  const started = performance.now();
  const reader = file.stream().getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  if (bytes !== file.size) throw new Error(`${bytes} bytes came of ${file.size}`);
  return performance.now() - started;
}

/** Every line decoded and parsed, one thread, the bytes in memory before the clock starts. */
export async function parsed(file: Blob): Promise<number> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const started = performance.now();
  let records = 0;
  for (let from = 0; from < bytes.length;) {
    const found = bytes.indexOf(0x0a, from);
    const end = found < 0 ? bytes.length : found;
    const value: unknown = JSON.parse(decode(bytes.subarray(from, end)));
    if (value !== null) records += 1;
    from = end + 1;
  }
  if (records === 0) throw new Error('There was nothing to parse');
  return performance.now() - started;
}

/** Where every record stands, and nothing more. */
export async function indexed(file: Blob): Promise<number> {
  const started = performance.now();
  const splitter = new LineSplitter();
  let records = 0;
  for await (const chunk of blobBytes(file).chunks()) records += splitter.push(chunk).length;
  records += splitter.end().length;
  if (records === 0) throw new Error('There was no record');
  return performance.now() - started;
}
