import { memo, useDeferredValue, useMemo } from 'react';
import type { Budget, Episode } from '../../../model';
import { join } from '../../controls/Button';
import { Segmented } from '../../controls/Segmented';
import { Name, spelled } from '../../markdown';
import { setPreferences, usePreferences, type TextMode, type ViewMode } from '../../stores/preferences';
import { setFollow, useFollow } from '../follow';
import type { ContextMeasure } from '../measure';
import { Tag } from '../messages/Tag';
import type { StepMarks } from '../timeline/marks';
import { factsOf, hasRecordedView, viewTruth, type ViewTruth } from './facts';
import styles from './stepbar.module.css';

interface StepBarProps {
  episode: Episode;
  step: number;
  budget: Budget | undefined;
  marks: StepMarks | undefined;
  measure: ContextMeasure;
}

const viewModes: readonly { value: ViewMode; label: string; hint: string }[] = [
  {
    value: 'seen',
    label: 'As the model saw it',
    hint: 'The context of this call, with stubs where messages were deleted',
  },
  { value: 'history', label: 'Full history', hint: 'Every message of the episode, once and whole' },
  {
    value: 'changed',
    label: 'What changed',
    hint: 'What this context has that the last one had not, and the reverse',
  },
];

const textModes: readonly { value: TextMode; label: string; hint: string }[] = [
  { value: 'plain', label: 'Text', hint: 'Model text exactly as it is' },
  { value: 'markdown', label: 'Markdown', hint: 'Model text read as Markdown' },
];

/** Which step this is, what is known of it, and how it is shown. */
export function StepBar({ episode, step, budget, marks, measure }: StepBarProps) {
  const steps = episode.steps.length;
  return (
    <div className={styles.bar}>
      <div className={styles.about}>
        <h2 className={styles.title}>{steps === 0 ? 'No steps' : `Step ${step} of ${steps}`}</h2>
        <Facts episode={episode} step={step} budget={budget} marks={marks} measure={measure} />
        {steps === 0 ? null : <FollowButton />}
      </div>
      <Switches ofViews={steps > 0} />
    </div>
  );
}

/** The same at every step. */
const Switches = memo(function Switches({ ofViews }: { ofViews: boolean }) {
  const viewMode = usePreferences((state) => state.viewMode);
  const textMode = usePreferences((state) => state.textMode);
  return (
    <div className={styles.switches}>
      {ofViews ? (
        <Segmented
          name="View"
          value={viewMode}
          options={viewModes}
          onChange={(next) => setPreferences({ viewMode: next })}
        />
      ) : null}
      <Segmented
        name="Text"
        value={textMode}
        options={textModes}
        onChange={(next) => setPreferences({ textMode: next })}
      />
    </div>
  );
});

function Facts({ episode, step, budget, marks, measure }: StepBarProps) {
  return (
    <p className={styles.facts}>
      {factsOf(episode, step, budget, marks, measure).map(({ text, title, tone }, place) => (
        <span
          // From step to step the same places say something else.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          title={title === undefined ? undefined : spelled(title)}
          className={join(styles.fact, tone && styles[tone])}
        >
          <Name text={text} />
        </span>
      ))}
      <Truth episode={episode} step={step} />
    </p>
  );
}

function Truth({ episode, step }: { episode: Episode; step: number }) {
  if (hasRecordedView(episode, step)) return <ComparedTruth episode={episode} step={step} />;
  return <TruthTag truth={viewTruth(episode, step)} />;
}

/** Comparing whole views can take longer than a frame, so this comes when the step is drawn. */
function ComparedTruth({ episode, step }: { episode: Episode; step: number }) {
  const drawn = useDeferredValue(step);
  const truth = useMemo(() => viewTruth(episode, drawn), [episode, drawn]);
  return <TruthTag truth={drawn === step ? truth : undefined} />;
}

function TruthTag({ truth }: { truth: ViewTruth | undefined }) {
  if (truth === undefined) return null;
  return (
    <Tag title={truth.title} tone={truth.tone}>
      {truth.word}
    </Tag>
  );
}

function FollowButton() {
  const follow = useFollow();
  return (
    <button
      type="button"
      className={styles.follow}
      aria-pressed={follow}
      title="On a change of step, bring what it emitted into view"
      onClick={() => setFollow(!follow)}
    >
      Follow
    </button>
  );
}
