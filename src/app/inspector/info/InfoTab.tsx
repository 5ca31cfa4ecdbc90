import { memo } from 'react';
import { MaskAlert } from '../samples/MaskAlert';
import { Deletion } from '../snapshots/Deletion';
import { TrainingSteps } from '../../training/TrainingSteps';
import type { TabProps } from '../tab';
import { Edits } from './Edits';
import { Gaps } from './Gaps';
import { Joined } from './Joined';
import { Metrics } from './Metrics';
import { Outcome } from './Outcome';
import { Particulars } from './Particulars';
import { Tools } from './Tools';
import styles from './info.module.css';

/** What is known of the episode as a whole, and what is not. */
export function InfoTab({ episodeRef, episode, findings, onPlace }: TabProps) {
  return <Info episodeRef={episodeRef} episode={episode} findings={findings} onPlace={onPlace} />;
}

/** The same at every step. */
const Info = memo(function Info({ episodeRef, episode, findings, onPlace }: Omit<TabProps, 'step'>) {
  return (
    <div className={styles.info}>
      <MaskAlert findings={findings} onPlace={onPlace} />
      <Outcome outcome={episode.outcome} />
      <Particulars episode={episode} />
      <TrainingSteps episodeRef={episodeRef} episode={episode} />
      <Joined episodeRef={episodeRef} />
      <Gaps gaps={episode.gaps} onPlace={onPlace} />
      <Deletion episode={episode} />
      <Edits edits={episode.edits} onPlace={onPlace} />
      <Tools episode={episode} />
      <Metrics metrics={episode.metrics} />
    </div>
  );
});
