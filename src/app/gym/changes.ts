/** What is different between two JSON values, place by place. */
import type { Json } from '../../gym';

export type Change =
  | { readonly kind: 'added'; readonly path: string; readonly after: Json }
  | { readonly kind: 'removed'; readonly path: string; readonly before: Json }
  | { readonly kind: 'changed'; readonly path: string; readonly before: Json; readonly after: Json };

/**
 * `notes[2]` and `preferences.theme`; a whole value that is no object is `(state)`. A state that begins or ends is told key by key.
 * Without recursion: values may be very deep.
 */
export function changesBetween(before: Json | undefined, after: Json | undefined): Change[] {
  const changes: Change[] = [];
  const open: { path: string; before: Json | undefined; after: Json | undefined }[] = [
    {
      path: '',
      before: before === undefined ? nothingBeside(after) : before,
      after: after === undefined ? nothingBeside(before) : after,
    },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const path = next.path === '' ? '(state)' : next.path;
    const { before: old, after: now } = next;
    if (old === undefined && now === undefined) continue;
    if (old === undefined) {
      if (now !== undefined) changes.push({ kind: 'added', path, after: now });
    } else if (now === undefined) changes.push({ kind: 'removed', path, before: old });
    else if (isContainer(old) && isContainer(now) && Array.isArray(old) === Array.isArray(now)) {
      const list = Array.isArray(old);
      const ours = new Map<string, Json>(Object.entries(old));
      const theirs = new Map<string, Json>(Object.entries(now));
      const keys = [...new Set([...ours.keys(), ...theirs.keys()])];
      // Last in, first out: reversed, so that changes come in the order of the keys.
      for (const key of keys.reverse()) {
        open.push({ path: step(next.path, key, list), before: ours.get(key), after: theirs.get(key) });
      }
    } else if (!Object.is(old, now)) changes.push({ kind: 'changed', path, before: old, after: now });
  }
  return changes;
}

function nothingBeside(other: Json | undefined): Json | undefined {
  if (other === undefined || !isContainer(other) || Array.isArray(other)) return undefined;
  return Object.keys(other).length === 0 ? undefined : {};
}

function isContainer(value: Json): value is Exclude<Json, null | boolean | number | string> {
  return typeof value === 'object' && value !== null;
}

function step(path: string, key: string, list: boolean): string {
  if (list) return `${path}[${key}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
