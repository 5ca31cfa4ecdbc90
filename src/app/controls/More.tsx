import { formatCount } from '../words/format';
import { Button } from './Button';
import { NEXT } from './first';

/** Ends a list that is not shown whole: `and 49,900 more`. */
export function More({ rest, onMore }: { rest: number; onMore: () => void }) {
  if (rest === 0) return null;
  return (
    <Button
      kind="quiet"
      title={rest > NEXT ? `Shows the next ${formatCount(NEXT)}` : 'Shows them'}
      onClick={onMore}
    >
      and {formatCount(rest)} more
    </Button>
  );
}
