import { useState } from 'react';
import type { Json } from '../../gym';
import styles from './gym.module.css';

const MOST_CHILDREN = 100;
const MOST_TEXT = 300;

/** A JSON value that opens level by level; what is closed is not drawn. Small ones stand on one line. */
export function JsonTree({ value, name }: { value: Json | undefined; name?: string }) {
  if (value === undefined) return <span className={styles.quiet}>none</span>;
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <span className={styles.leaf}>
        <Name name={name} />
        {cut(JSON.stringify(value))}
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
        <Name name={name} />
        {open ? (Array.isArray(value) ? `${value.length} items` : `${entries.length} keys`) : gist(value)}
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

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <b>{cut(name)}: </b>;
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

function cut(text: string, most = MOST_TEXT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
