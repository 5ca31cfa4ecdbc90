import type { SourceId } from '../../../ingest/protocol';

/**
 * What sources are called beside a group, where room is short: without the folders, and the ending, that all of them
 * have. `run/step1.jsonl` and `run/step2.jsonl` are `step1` and `step2`.
 */
export function sourceLabels(
  sources: readonly { id: SourceId; name: string }[],
): ReadonlyMap<SourceId, string> {
  const names = new Set(sources.map(({ name }) => name));
  const paths = sources.map(({ id, name }) => (names.size < sources.length ? id : name).split('/'));
  const most = Math.min(...paths.map((path) => path.length)) - 1;
  const before = inCommon(paths, most);
  const behind = inCommon(
    paths.map((path) => path.toReversed()),
    most - before,
  );
  const inner = paths.map((path) => path.slice(before, path.length - behind).join('/'));
  const endings = new Set(inner.map((name) => /[^/](\.[a-z0-9]+)$/i.exec(name)?.[1] ?? ''));
  const [ending = ''] = endings.size === 1 ? endings : [];
  return new Map(sources.map(({ id }, nth) => [id, inner[nth]?.slice(0, -ending.length || undefined) ?? id]));
}

/** With how many of the same parts they all begin; at most `most`. */
function inCommon(paths: readonly (readonly string[])[], most: number): number {
  const [first] = paths;
  const differs = first?.findIndex((part, nth) => paths.some((path) => path[nth] !== part)) ?? 0;
  return Math.min(most, differs < 0 ? most : differs);
}
