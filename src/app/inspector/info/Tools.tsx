import { memo, useMemo } from 'react';
import type { Episode } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { formatCount } from '../../words/format';
import { Name, PlainText } from '../../markdown';
import { Folded } from '../Folded';
import { parametersText, toolUse, type ToolUse } from './facts';
import { Section } from './Section';
import styles from './info.module.css';

export const Tools = memo(function Tools({ episode }: { episode: Episode }) {
  const tools = useMemo(() => toolUse(episode), [episode]);
  const { shown, rest, showMore } = useFirst(tools, episode);
  if (tools.length === 0) return null;
  return (
    <Section title="Tools" aside={<span className={styles.count}>{formatCount(tools.length)}</span>}>
      <ul className={styles.tools}>
        {shown.map((tool, index) => (
          // A source can offer two tools of one name.
          // oxlint-disable-next-line react/no-array-index-key
          <Tool key={index} tool={tool} />
        ))}
      </ul>
      <More rest={rest} onMore={showMore} />
    </Section>
  );
});

function Tool({ tool: { name, description, parameters, calls, offered } }: { tool: ToolUse }) {
  const times = calls === 0 ? 'not called' : `called ${calls === 1 ? 'once' : `${formatCount(calls)} times`}`;
  return (
    <li>
      <div className={styles.toolHead}>
        <code>
          <Name text={name} />
        </code>
        <span className={offered ? styles.times : styles.stray}>
          {offered ? times : `${times}, but not offered`}
        </span>
      </div>
      {description === undefined || description === '' ? null : (
        <p className={styles.description}>
          <Folded text={description} />
        </p>
      )}
      {parameters === undefined ? null : (
        <details className={styles.parameters}>
          <summary>parameters</summary>
          <pre>
            <PlainText text={parametersText(parameters)} />
          </pre>
        </details>
      )}
    </li>
  );
}
