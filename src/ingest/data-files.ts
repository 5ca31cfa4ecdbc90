/** What a folder is searched for. A file named by itself is opened whatever it is called. */
export const dataFileEndings = ['json', 'jsonl', 'ndjson', 'traj', 'eval', 'zip', 'tgz', 'gz', 'zst'];

const ending = new RegExp(`\\.(${dataFileEndings.join('|')})$`, 'i');

export function isDataFile(name: string): boolean {
  return ending.test(name);
}
