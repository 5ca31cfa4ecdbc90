import { useRaw } from '../data/hooks';
import type { TabProps } from './tab';

export function RawTab({ episodeRef }: TabProps) {
  return <pre>{useRaw(episodeRef).value?.text.slice(0, 10_000)}</pre>;
}
