import { lazy, Suspense, type ReactNode } from 'react';

const Markdown = lazy(async () => ({ default: (await import('./Markdown')).Markdown }));

/** `Markdown`, fetched when it is first wanted; the fallback stands in its place until then, and where it is too much. */
export function MarkdownText({ text, fallback }: { text: string; fallback: ReactNode }) {
  return (
    <Suspense fallback={fallback}>
      <Markdown text={text} plain={fallback} />
    </Suspense>
  );
}
