import type { ComponentProps } from 'react';
import { Button } from '../../controls/Button';

/** A button of the bar. One that cannot be used for a moment keeps the focus: pressed again and again, it is still there. */
export function Control({ disabled = false, onClick, ...rest }: ComponentProps<typeof Button>) {
  return <Button {...rest} aria-disabled={disabled || undefined} onClick={disabled ? undefined : onClick} />;
}
