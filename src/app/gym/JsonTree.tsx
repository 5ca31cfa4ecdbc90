import { useState } from 'react';
import type { Json } from '../../gym';
import { Name, PlainText } from '../markdown';
import styles from './gym.module.css';

const MOST_CHILDREN = 100;

/** A JSON value that opens level by level; what is closed is not drawn. Small ones stand on one line. */
export function JsonTree({ value, name }: { value: Json | undefined; name?: string }) {
  if (value === undefined) return <span className={styles.quiet}>none</span>;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <span className={styles.leaf}>
        <Key name={name} />
        <Name text={JSON.stringify(value)} />
      </span>
    );
  }
  return <Branch value={value} name={name} />;
}

function Branch({
  value,
  name,
}: {
  value: readonly Json[] | { readonly [key: string]: Json };
  name: string | undefined;
}) {
  const [open, setOpen] = useState(false);
  const entries = open ? Object.entries(value) : [];
  return (
    <details className={styles.branch} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Key name={name} />
        {open ? (
          Array.isArray(value) ? (
            `${value.length} items`
          ) : (
            `${entries.length} keys`
          )
        ) : (
          <PlainText text={gist(value)} />
        )}
      </summary>
      <ul>
        {entries.slice(0, MOST_CHILDREN).map(([key, child]) => (
          <li key={key}>
            <JsonTree name={key} value={child} />
          </li>
        ))}
        {entries.length > MOST_CHILDREN ? <li>and {entries.length - MOST_CHILDREN} more</li> : null}
      </ul>
    </details>
  );
}

function Key({ name }: { name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <b>
      <Name text={name} />:{' '}
    </b>
  );
}

/** `{count: 5}`, one level deep: what lies below may be large. */
function gist(value: readonly Json[] | { readonly [key: string]: Json }): string {
  const list = Array.isArray(value);
  const parts: string[] = [];
  for (const [key, child] of Object.entries(value).slice(0, 8)) {
    const shown =
      typeof child !== 'object' || child === null
        ? cut(JSON.stringify(child), 40)
        : Array.isArray(child)
          ? `[${child.length}]`
          : '{…}';
    parts.push(list ? shown : `${cut(key, 40)}: ${shown}`);
  }
  const text = parts.join(', ');
  return list ? `[${text}]` : `{${text}}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
