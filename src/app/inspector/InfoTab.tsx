import type { TabProps } from './tab';

export function InfoTab({ episode }: TabProps) {
  return <p>{episode.title}</p>;
}
