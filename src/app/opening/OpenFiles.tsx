import type { Ref } from 'react';
import { openAll } from './open';
import { filesOfInput } from './transfer';

/** The browser's own file dialog behind every "Open" of the page. */
export function OpenFiles({ ref }: { ref: Ref<HTMLInputElement> }) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label="Open files"
      onChange={(event) => {
        openAll(filesOfInput(event.currentTarget));
        // So that choosing the same file again is a change, too.
        event.currentTarget.value = '';
      }}
    />
  );
}
