import { useState } from 'react';
import { messageText, STUB_TEXT } from '../../../model';
import { formatCount } from '../../words/format';
import { Name } from '../../markdown';
import { Folded } from '../Folded';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import type { Kept } from './contents';
import styles from './snapshots.module.css';

interface MessageLinesProps {
  messages: readonly Kept[];
  onPlace: TabProps['onPlace'];
}

const few = 60;

/** Messages one below the other, short, with what had become of them. */
export function MessageLines({ messages, onPlace }: MessageLinesProps) {
  const [limit, setLimit] = useState(few);
  return (
    <>
      <ol className={styles.messages}>
        {messages.slice(0, limit).map((kept) => (
          <Line key={kept.message.msgId} kept={kept} onPlace={onPlace} />
        ))}
      </ol>
      {messages.length > limit ? (
        <button type="button" className={styles.link} onClick={() => setLimit(limit * 4)}>
          and {formatCount(messages.length - limit)} more
        </button>
      ) : null}
    </>
  );
}

function Line({
  kept: { message, state, edit, goes },
  onPlace,
}: {
  kept: Kept;
  onPlace: TabProps['onPlace'];
}) {
  const { role, roleLabel, msgId, bornAtStep } = message;
  return (
    <li data-state={state} data-goes={goes ? '' : undefined}>
      <div className={styles.who}>
        <b>
          <Name text={roleLabel ?? role} />
        </b>
        <PlaceButton step={Math.max(bornAtStep, 0)} msgId={msgId} onPlace={onPlace} />
        {goes ? <span className={styles.tag}>deleted by this edit</span> : null}
        {state === 'whole' ? null : (
          <span className={styles.tag}>
            {state === 'stub' ? 'deleted' : 'compacted'} at step {edit?.step}
          </span>
        )}
      </div>
      <div className={styles.what}>
        {state === 'stub' ? (
          <Folded text={edit?.stub ?? STUB_TEXT} />
        ) : state === 'out' ? (
          'not in the view'
        ) : (
          <Folded text={messageText(message)} />
        )}
      </div>
    </li>
  );
}
