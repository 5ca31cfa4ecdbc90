/** What can be done about an image: shown from the file itself, or only named. */
export type ImageSource =
  | { kind: 'inline'; src: string; type: string; bytes: number }
  /** Its address, which is never fetched. */
  | { kind: 'remote'; url: string }
  | { kind: 'unshown'; what: string };

/** Raster images that stand in the record are drawn; vectors are documents, and addresses are requests. */
export function imageSource(url: string): ImageSource {
  const data = /^data:(image\/(?:png|jpeg|gif|webp));base64,([\w+/=\s-]*)$/i.exec(
    url.length < 64_000_000 ? url : '',
  );
  const [, type, content] = data ?? [];
  if (type !== undefined && content !== undefined) {
    return {
      kind: 'inline',
      src: url,
      type: type.toLowerCase(),
      bytes: Math.floor((content.length * 3) / 4),
    };
  }
  if (/^data:/i.test(url)) {
    const declared = /^data:([\w.+/-]{1,60})/i.exec(url)?.[1] ?? 'data of no known type';
    return { kind: 'unshown', what: `${declared}, ${url.length.toLocaleString('en-US')} characters` };
  }
  return url === '' ? { kind: 'unshown', what: 'no address' } : { kind: 'remote', url };
}
