/** The text of ids that are character codes, as toy tokenizers make them; undefined where they are not. */
export function textOfIds(ids: Int32Array): string | undefined {
  let text = '';
  // In pieces: arguments go over the stack.
  for (let at = 0; at < ids.length; at += 4096) {
    const piece = ids.subarray(at, at + 4096);
    if (piece.some((id) => id < 0 || id > 0x10ffff)) return undefined;
    text += String.fromCodePoint(...piece);
  }
  return text;
}
