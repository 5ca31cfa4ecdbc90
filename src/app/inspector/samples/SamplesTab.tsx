import { useCallback, useMemo, useState, type CSSProperties } from 'react';
import { Notice } from '../../controls/Notice';
import { Segmented } from '../../controls/Segmented';
import { counted } from '../../words/format';
import { goTo } from '../../place/usePlace';
import type { TabProps } from '../tab';
import { chooseCut, holdSample, useChoice } from './choice';
import { cutFor, cutHints, cutNames, cutsOf, samplesCut, type Cut } from './cuts';
import { boundsOf, laneOf, type Lane, type Totals } from './lanes';
import { LaneView } from './LaneView';
import { Legend } from './Legend';
import { MaskFindings } from './MaskFindings';
import { SizeTable } from './SizeTable';
import { TurnList } from './TurnList';
import styles from './samples.module.css';

/** From the episode to its training samples: one lane for each over the step axis. */
export function SamplesTab({ episodeRef, episode, step, findings, onPlace }: TabProps) {
  const wanted = useChoice((state) => state.cut);
  const [pointed, setPointed] = useState<number>();
  const cuts = useMemo(() => cutsOf(episode), [episode]);
  const cut = cutFor(episode, wanted);
  const against = otherCut(cut, cuts);
  const lanes = useMemo(
    () => samplesCut(episode, cut).map((sample) => laneOf(episode, sample)),
    [episode, cut],
  );
  const drawn = useMemo(() => {
    const others = against === undefined ? [] : samplesCut(episode, against);
    return lanes.map((lane, nth) => {
      const sample = others[nth];
      const other = sample === undefined ? undefined : laneOf(episode, sample);
      const differs = other?.totals !== undefined && other.totals.trained !== lane.totals?.trained;
      return {
        lane,
        other: differs && against !== undefined ? { name: cutNames[against], lane: other } : undefined,
      };
    });
  }, [episode, lanes, against]);
  const toStep = useCallback((target: number) => onPlace({ step: target }), [onPlace]);
  const openTokens = useCallback(
    (sample: number) => {
      holdSample(episodeRef, sample);
      goTo({ tab: 'tokens' });
    },
    [episodeRef],
  );
  if (cuts.length === 0) {
    return (
      <Notice title="No samples">There is no model call in this episode, so nothing of it is trained.</Notice>
    );
  }
  const gap = episode.gaps.find(({ about }) => about === 'tokens');
  const totals = sumOf(lanes);
  return (
    <div className={styles.samples}>
      <header className={styles.head}>
        <p className={styles.summary}>
          {counted(lanes.length, 'sample')} of {counted(episode.steps.length, 'step')}
        </p>
        {cuts.length > 1 ? (
          <Segmented<Cut>
            name="How samples are cut"
            value={cut}
            options={cuts.map((value) => ({ value, label: cutNames[value], hint: cutHints[value] }))}
            onChange={chooseCut}
          />
        ) : null}
      </header>
      {totals === undefined ? (
        <p className={styles.gap}>
          {gap?.reason ?? 'This record has no token ids: which tokens are trained cannot be shown.'} Dashed
          are the steps that each sample would train.
        </p>
      ) : (
        <Legend totals={totals} />
      )}
      <h3 className={styles.heading}>Where each turn is trained</h3>
      <ol
        className={styles.lanes}
        aria-label="Samples"
        style={columnsAt(episode.steps.length, step, pointed)}
      >
        {drawn.map(({ lane, other }) => (
          <LaneView
            key={lane.sample.index}
            lane={lane}
            other={other}
            steps={episode.steps.length}
            onPoint={setPointed}
            onStep={toStep}
            onOpen={openTokens}
          />
        ))}
      </ol>
      <p className={styles.axis} aria-hidden>
        <span>step 0</span>
        <span>{Math.max(episode.steps.length - 1, 0)}</span>
      </p>
      <Verdict cut={cut} lanes={lanes} />
      <MaskFindings findings={findings} onPlace={onPlace} />
      <TurnList lanes={lanes} step={step} pointed={pointed} onPoint={setPointed} onStep={toStep} />
      <SizeTable episode={episode} cuts={cuts} />
    </div>
  );
}

/** What one compares with: the aligned samples, and these with what was recorded. */
function otherCut(cut: Cut, cuts: readonly Cut[]): Cut | undefined {
  if (cut !== 'aligned') return cuts.find((other) => other === 'aligned');
  return cuts.find((other) => other !== 'aligned');
}

/** Where the columns of two steps stand in every lane. */
function columnsAt(
  steps: number,
  step: number,
  pointed: number | undefined,
): CSSProperties & Record<`--${string}`, string> {
  const current = boundsOf({ from: step, to: step + 1 }, steps);
  const under = pointed === undefined ? undefined : boundsOf({ from: pointed, to: pointed + 1 }, steps);
  return {
    '--width': `${current.width}%`,
    '--current': `${current.left}%`,
    ...(under === undefined ? {} : { '--pointed': `${under.left}%`, '--pointing': 'block' }),
  };
}

const cutWays: Record<Cut, string> = {
  recorded: 'As recorded',
  aligned: 'Cut at the last render',
  tail: 'Cut from the tail',
};

/** One sentence on whether the law holds: every emitted token is trained in exactly one sample. */
function Verdict({ cut, lanes }: { cut: Cut; lanes: readonly Lane[] }) {
  const turns = lanes.flatMap((lane) => lane.turns);
  if (turns.length === 0) return null;
  const dropped = turns.reduce((sum, turn) => sum + turn.dropped, 0);
  const way = cutWays[cut];
  return dropped === 0 ? (
    <p className={styles.verdict}>
      <span aria-hidden>✓</span> {way}, each of {counted(turns.length, 'turn')} is trained in exactly one
      sample.
    </p>
  ) : (
    <p className={styles.verdict} data-amiss="">
      <span aria-hidden>▲</span> {way}, {counted(dropped, 'emitted token is', 'emitted tokens are')} trained
      in no sample.
    </p>
  );
}

function sumOf(lanes: readonly Lane[]): Pick<Totals, 'trained' | 'masked' | 'dropped'> | undefined {
  const known = lanes.flatMap(({ totals }) => totals ?? []);
  if (known.length === 0) return undefined;
  return known.reduce(
    (sum, { trained, masked, dropped }) => ({
      trained: sum.trained + trained,
      masked: sum.masked + masked,
      dropped: sum.dropped + dropped,
    }),
    { trained: 0, masked: 0, dropped: 0 },
  );
}
