import { placeText } from './place';
import type { TabProps } from './tab';
import styles from './inspector.module.css';

interface PlaceButtonProps {
  step?: number | undefined;
  msgId?: number | undefined;
  onPlace: TabProps['onPlace'];
}

/** Goes to where something stands: `step 3 · message 7`. Nothing for what has no place. */
export function PlaceButton({ step, msgId, onPlace }: PlaceButtonProps) {
  const text = placeText({ step, msgId });
  if (text === undefined) return null;
  return (
    <button
      type="button"
      className={styles.place}
      onClick={() =>
        onPlace({ ...(step === undefined ? {} : { step }), ...(msgId === undefined ? {} : { msgId }) })
      }
    >
      {text}
    </button>
  );
}
