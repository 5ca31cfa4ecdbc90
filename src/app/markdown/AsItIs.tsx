import styles from './text.module.css';

/** Says why a text is not shown as Markdown although that was asked for. */
export function AsItIs({ why }: { why: 'long' | 'intricate' }) {
  return <p className={styles.asItIs}>{`Too ${why} to be rendered as Markdown: shown as it is.`}</p>;
}
