import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../controls/Button';
import { Notice } from '../../controls/Notice';
import { spelled } from '../../markdown';
import { counted, oneLine } from '../../words/format';
import { useChosenTokenizer } from '../../tokenizers/choice';
import { TokenizerChoice } from '../../tokenizers/TokenizerChoice';
import { copy } from '../../stores/toasts';
import { chooseCut, heldIn, holdSample, useChoice, wishGranted } from '../samples/choice';
import { cutFor, cutHints, cutNames, cutsOf, samplesCut, type Cut } from '../samples/cuts';
import { Legend } from '../samples/Legend';
import type { TabProps } from '../tab';
import { Breaks } from './Breaks';
import { nextTrained, previousTrained } from './cursor';
import { withReading } from './reading';
import { ScaleLegend } from './ScaleLegend';
import { scaleOf } from './scale';
import { shownAt } from './shown';
import { TokenText, type TokenTextHandle } from './TokenText';
import { countsOf, gapName, type Track } from './track';
import { TurnSums } from './TurnSums';
import { useReading } from './useReading';
import { textOf, tokenFacts } from './words';
import styles from './tokens.module.css';

/** Every token of a sample, and what training makes of it. */
export function TokensTab({ episodeRef, episode, step, onPlace }: TabProps) {
  const wanted = useChoice((state) => state.cut);
  const held = useChoice((state) => heldIn(state, episodeRef));
  const [colour, setColour] = useState('mask');
  const cuts = useMemo(
    () =>
      cutsOf(episode).filter((cut) => samplesCut(episode, cut).some(({ tokens }) => tokens !== undefined)),
    [episode],
  );
  const chosen = cutFor(episode, wanted);
  const cut = cuts.includes(chosen) ? chosen : (cuts[0] ?? chosen);
  const shown = useMemo(() => shownAt(episode, cut, step, held), [episode, cut, step, held]);
  // The same sample stays the same track while the step moves within it.
  const recorded = useStable(shown.track, `${cut} ${shown.kind} ${shown.chosen}`, episode);
  const reading = useReading(episode, recorded, useChosenTokenizer());
  const track = useMemo(
    () => (recorded === undefined ? undefined : withReading(recorded, reading)),
    [recorded, reading],
  );
  if (track === undefined) {
    const gap = episode.gaps.find(({ about }) => about === 'tokens');
    const some = episode.steps.some(({ tokens }) => tokens !== undefined);
    return (
      <Notice title={some ? 'No tokens of this step' : 'No token ids'}>
        {gap?.reason ?? 'This record has no token ids: masks cannot be shown.'}
      </Notice>
    );
  }
  return (
    <div className={styles.tokens}>
      <header className={styles.head}>
        {shown.kind === 'call' ? (
          <p className={styles.call}>The call of step {step}: no sample of this record has all its tokens.</p>
        ) : (
          <>
            <select
              className={styles.select}
              aria-label="Sample"
              value={shown.chosen}
              onChange={(event) => holdSample(episodeRef, Number(event.target.value))}
            >
              {shown.options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            {cuts.length > 1 ? (
              <select
                className={styles.select}
                aria-label="How samples are cut"
                title={cutHints[cut]}
                value={cut}
                onChange={({ target }) => {
                  const next = cuts.find((each) => each === target.value);
                  if (next !== undefined) chooseCut(next);
                }}
              >
                {cuts.map((each: Cut) => (
                  <option key={each} value={each}>
                    {cutNames[each]}
                  </option>
                ))}
              </select>
            ) : null}
            {held === undefined ? null : (
              <Button
                kind="quiet"
                title="Show the sample of the step"
                onClick={() => holdSample(episodeRef, undefined)}
              >
                Follow the step
              </Button>
            )}
          </>
        )}
        <select
          className={styles.select}
          aria-label="Colour by"
          value={track.values.has(colour) ? colour : 'mask'}
          onChange={({ target }) => setColour(target.value)}
        >
          <option value="mask">mask</option>
          {Array.from(track.values.keys(), (name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {episode.tokenIds === 'characters' ? null : <TokenizerChoice />}
      </header>
      {reading?.fits === false ? (
        <p className={styles.past}>
          {spelled(oneLine(reading.by, 60))} did not make these ids: they decode to something else than the
          messages say.
        </p>
      ) : null}
      <TrackView
        key={`${episodeRef.source} ${episodeRef.episode} ${cut} ${shown.kind} ${shown.chosen}`}
        track={track}
        colour={colour}
        step={step}
        onStep={(target) => onPlace({ step: target })}
      />
      <Breaks
        episode={episode}
        step={step}
        reading={reading}
        onStep={(target) => onPlace({ step: target })}
      />
    </div>
  );
}

interface TrackViewProps {
  track: Track;
  /** `mask`, or the name of a value. */
  colour: string;
  step: number;
  onStep: (step: number) => void;
}

function TrackView({ track, colour, step, onStep }: TrackViewProps) {
  const text = useRef<TokenTextHandle>(null);
  const [moved, setMoved] = useState<{ step: number; to: number }>();
  // Going to another step goes to its turn.
  const cursor = moved?.step === step ? moved.to : startAt(track, step);
  const setCursor = (to: number) => setMoved({ step, to });
  const [hovered, setHovered] = useState<number>();
  const values = track.values.get(colour);
  const shades = useMemo(() => shadesOf(colour, values), [colour, values]);
  const scale = useMemo(
    () => (shades === undefined ? undefined : scaleOf(shades, colour.endsWith('logprob'))),
    [shades, colour],
  );
  const colouring = useMemo(
    () => (shades === undefined || scale === undefined ? undefined : { values: shades, scale }),
    [shades, scale],
  );
  const counts = useMemo(() => countsOf(track), [track]);
  const summed = values ?? track.values.get('logprob');
  const go = (position: number) => {
    setCursor(position);
    text.current?.show(position);
  };
  // The rows are there after the next drawing.
  useEffect(() => {
    const frame = requestAnimationFrame(() => text.current?.show(startAt(track, step)));
    return () => cancelAnimationFrame(frame);
  }, [track, step]);
  const wanted = useChoice((state) => state.wanted);
  useEffect(() => {
    if (wanted === undefined) return;
    const frame = requestAnimationFrame(() => {
      wishGranted();
      const position = Math.min(wanted.position, track.length - 1);
      setMoved({ step, to: position });
      text.current?.show(position);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted, track, step]);
  const next = nextTrained(track, cursor);
  const previous = previousTrained(track, cursor);
  return (
    <>
      <div className={styles.bar}>
        {colouring === undefined && values === undefined ? (
          <Legend totals={{ ...counts, masked: counts.masked + counts.prompt }} />
        ) : (
          <ScaleLegend name={colour === gapName ? `${gapName}, either way` : colour} scale={scale} />
        )}
      </div>
      {track.past === 0 ? null : (
        <p className={styles.past}>
          {counted(track.past, 'one')} of the mask {track.past === 1 ? 'lies' : 'lie'} past the last token and{' '}
          {track.past === 1 ? 'trains' : 'train'} nothing.
        </p>
      )}
      {track.length === 0 ? (
        <Notice title="No tokens">This sample is empty.</Notice>
      ) : (
        <TokenText
          ref={text}
          track={track}
          cursor={cursor}
          colouring={colouring}
          onCursor={setCursor}
          onHover={setHovered}
        />
      )}
      <footer className={styles.foot}>
        <p id="token-status" className={styles.status} aria-hidden>
          {tokenFacts(track, hovered ?? cursor).join(' · ')}
        </p>
        <p className={styles.spoken} aria-live="polite">
          {tokenFacts(track, cursor).join(', ')}
        </p>
        <div className={styles.buttons}>
          <Button kind="quiet" disabled={previous === cursor} title="Ctrl+←" onClick={() => go(previous)}>
            ‹ Previous trained run
          </Button>
          <Button kind="quiet" disabled={next === cursor} title="Ctrl+→" onClick={() => go(next)}>
            Next trained run ›
          </Button>
          <Button kind="quiet" onClick={() => void copy(textOf(track, 0, track.length), 'Tokens')}>
            Copy all
          </Button>
        </div>
      </footer>
      <TurnSums
        track={track}
        values={
          summed === undefined
            ? undefined
            : { name: values === undefined ? 'logprob' : colour, numbers: summed }
        }
        onToken={go}
        onStep={onStep}
      />
    </>
  );
}

/** The start of the step's turn, else of the first token that is trained or should be. */
function startAt({ turns, fates, promptLength, length }: Track, step: number): number {
  const turn = turns.find((each) => each.step === step) ?? turns[0];
  if (turn !== undefined) return turn.start;
  const nth = fates.findIndex(({ fate }) => fate === 'trained' || fate === 'dropped');
  const start = nth > 0 ? (fates[nth - 1]?.end ?? 0) : promptLength;
  return Math.min(Math.max(start, 0), Math.max(length - 1, 0));
}

/** What colours show of some values: of a gap its width, whichever side is the likelier. */
function shadesOf(name: string, values: Float32Array | undefined): Float32Array | undefined {
  return name === gapName ? values?.map(Math.abs) : values;
}

const tracks = new WeakMap<object, { key: string; track: Track }>();

/** Keeps one track per episode and choice, so that what is measured of it stays. */
function useStable(track: Track | undefined, key: string, episode: object): Track | undefined {
  return useMemo(() => {
    if (track === undefined) return undefined;
    const known = tracks.get(episode);
    if (known?.key === key) return known.track;
    tracks.set(episode, { key, track });
    return track;
  }, [track, key, episode]);
}
