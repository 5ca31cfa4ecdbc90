import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { errorText } from '../../model/error-text';
import { say } from '../stores/toasts';
import { openAll, openText } from './open';
import styles from './opening.module.css';
import { filesOf } from './transfer';

/**
 * The whole window takes drops and pastes. A cover lies over the page while files are dragged: a drop on an element that
 * has just been redrawn would reach nobody, and the browser would open the file itself.
 */
export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // What the pointer is over: each element it comes to is entered before the one it came from is left.
    let at: EventTarget | null = null;
    const reset = () => {
      at = null;
      setOver(false);
    };
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      at = event.target;
      // At once, so that what comes next comes to the cover.
      flushSync(() => setOver(true));
    };
    const leave = (event: DragEvent) => {
      if (event.target === at) reset();
    };
    const hover = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent) => {
      reset();
      if (event.dataTransfer === null || !carriesFiles(event)) return;
      event.preventDefault();
      void take(event.dataTransfer);
    };
    const paste = (event: ClipboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea');
      if (typing || event.clipboardData === null) return;
      event.preventDefault();
      if (event.clipboardData.files.length > 0) void take(event.clipboardData);
      else if (event.clipboardData.getData('text').trim() !== '')
        openText(event.clipboardData.getData('text'));
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    window.addEventListener('dragenter', enter, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('dragover', hover, { signal });
    window.addEventListener('drop', drop, { signal });
    window.addEventListener('paste', paste, { signal });
    return () => listeners.abort();
  }, []);
  return over ? <output className={styles.cover}>Drop to open</output> : null;
}

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

async function take(transfer: DataTransfer): Promise<void> {
  try {
    const files = await filesOf(transfer);
    if (files.length === 0) say('There is no file in what was dropped');
    openAll(files);
  } catch (error) {
    say(`What was dropped cannot be read: ${errorText(error)}`);
  }
}
