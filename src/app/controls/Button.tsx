import type { ButtonHTMLAttributes } from 'react';
import styles from './controls.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is for the one thing to do on a screen, `quiet` for what stands in a line of text. */
  kind?: 'plain' | 'primary' | 'quiet';
}

export function Button({ kind = 'plain', className, ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={join(styles.button, styles[kind], className)} />;
}

export function join(...names: (string | undefined | false)[]): string {
  return names.filter(Boolean).join(' ');
}
