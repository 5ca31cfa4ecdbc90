import { useMemo, useState } from 'react';
import type { RawRecord } from '../../../ingest/protocol';
import { Button } from '../../controls/Button';
import { Notice } from '../../controls/Notice';
import { Segmented } from '../../controls/Segmented';
import { useRaw } from '../../data/hooks';
import { formatBytes, formatCount } from '../../words/format';
import { copy } from '../../stores/toasts';
import type { TabProps } from '../tab';
import { RawText } from './RawText';
import { RawTree } from './RawTree';
import styles from './raw.module.css';

type RawMode = 'tree' | 'text';
const modes: readonly { value: RawMode; label: string }[] = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
];

/** The record as it stands in the file. */
export function RawTab({ episodeRef, episode, step }: TabProps) {
  const loaded = useRaw(episodeRef);
  // Where the messages that came with this step stand in the record.
  const pointers = useMemo(
    () => episode.messages.filter(({ bornAtStep }) => bornAtStep === step).flatMap(({ raw }) => raw),
    [episode, step],
  );
  if (loaded.state === 'failed') {
    return (
      <Notice title="The record could not be read" tone="error">
        {loaded.error} If the file has changed since it was opened, open it again.
      </Notice>
    );
  }
  if (loaded.state === 'loading') {
    return (
      <div className={styles.late}>
        <Notice title="Reading the record" />
      </div>
    );
  }
  if (loaded.value === undefined) {
    return (
      <Notice title="No record">The source has no record for this episode: it is not from a file.</Notice>
    );
  }
  return <RecordView record={loaded.value} step={step} pointers={pointers} />;
}

interface RecordViewProps {
  record: RawRecord;
  step: number;
  pointers: readonly string[];
}

function RecordView({ record, step, pointers }: RecordViewProps) {
  const [mode, setMode] = useState<RawMode>('tree');
  const { text, line, byteStart, byteEnd } = record;
  return (
    <div className={styles.raw}>
      <header className={styles.head}>
        <p className={styles.where}>
          line {formatCount(line)}
          <br />
          bytes {formatCount(byteStart)} to {formatCount(byteEnd)} · {formatBytes(byteEnd - byteStart)}
        </p>
        <Segmented<RawMode> name="Show the record as" value={mode} options={modes} onChange={setMode} />
        <Button onClick={() => void copy(text, 'Record')}>Copy</Button>
      </header>
      {mode === 'tree' ? (
        // Another record is another tree, with nothing opened.
        <RawTree key={`${byteStart} ${text.length}`} text={text} step={step} pointers={pointers} />
      ) : (
        <RawText text={text} />
      )}
    </div>
  );
}
