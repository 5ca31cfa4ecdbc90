import type { TabProps } from './tab';

export function FindingsTab({ findings }: TabProps) {
  return (
    <ul>
      {findings.map((finding) => (
        <li key={`${finding.rule} ${finding.message}`}>{finding.message}</li>
      ))}
    </ul>
  );
}
