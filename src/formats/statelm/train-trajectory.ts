import {
  arrayAt,
  at,
  numberAt,
  stringAt,
  type Episode,
  type RecordedView,
  type Sample,
  type StatelmTraits,
} from '../../model';
import type { SourceRecord } from '../format';
import { metricsOf } from '../metrics';
import { oneEpisode } from '../episodes';
import { titleFrom } from '../title';
import { countEntries, fitted, rewardGap, statelmEpisode } from './episode';
import { entriesAt, readHistory } from './history';
import { idsIn } from './tokens';

/**
 * `trajectory_{request_id}_{time}.json` of StateLM's training loop: the unedited history, and every training sample
 * with its decoded text and sizes. The text shows the views; token ids and masks are not in it.
 */
export const statelmTrainTrajectory = oneEpisode(
  {
    id: 'statelm_train_trajectory',
    name: 'StateLM training trajectory',
    unit: 'record',
    confidence: (value) =>
      ['trajectory_outputs', 'deleted_msg_ids', 'messages'].every((key) => arrayAt(value, key) !== undefined)
        ? 1
        : 0,
  },
  read,
  (value) => countEntries(arrayAt(value, 'messages') ?? []),
);

/** The loop's versions differ in what stands for a tool result until the next render. Its recorded text shows which. */
const variants: Partial<StatelmTraits>[] = [
  { toolResults: 'returned-from-edit' },
  { toolResults: 'returned' },
  { toolResults: 'rendered' },
];

function read(record: SourceRecord): Episode {
  const { value, text } = record;
  const entries = entriesAt(value, text, 'messages');
  const history = readHistory(entries);
  const outputs = arrayAt(value, 'trajectory_outputs') ?? [];
  const samples = samplesFrom(outputs, history.steps.length);
  const extra = at(value, 'extra_info');
  const index = numberAt(extra, 'index') ?? stringAt(extra, 'index');
  const question = entries.find((entry) => at(entry.value, 'role') === 'user')?.value;
  const finished = history.messages
    .at(-1)
    ?.parts.some((part) => part.kind === 'call' && part.call.name === 'finish');
  const episode = statelmEpisode(
    record,
    'statelm_train_trajectory',
    history,
    {
      dialect: 'rl',
      toolResults: 'returned-from-edit',
      recordedDeletes: idsIn(arrayAt(value, 'deleted_msg_ids') ?? []),
    },
    {
      title: titleFrom(stringAt(question, 'content'), 'StateLM training trajectory'),
      ...(index === undefined ? {} : { task: { key: String(index) } }),
      outcome: {
        components: {},
        noReward: 'never-kept',
        ...(finished === true ? { termination: 'finish' } : {}),
      },
      metrics: { ...metricsOf(extra), ...metricsOf(value) },
      samples,
      recordedViews: samples.flatMap(viewsOf),
      gaps: [
        rewardGap,
        {
          about: 'tokens',
          reason: 'This file has the text of the training samples, not their token ids and masks.',
        },
      ],
    },
  );
  return fitted(episode, variants);
}

/** `num_turns` counts the emissions up to the end of a sample: it says which steps each one is there for. */
function samplesFrom(outputs: readonly unknown[], steps: number): Sample[] {
  let firstStep = 0;
  return outputs.map((output, index) => {
    const turns = numberAt(output, 'num_turns');
    const isSnapshot = at(output, 'is_snapshot') === true;
    const end = Math.min(Math.max(isSnapshot ? (turns ?? firstStep) : steps, firstStep), steps);
    const sample: Sample = {
      kind: isSnapshot ? 'snapshot' : 'final',
      index,
      firstStep,
      lastStep: end - 1,
      sizes: {
        prompt: numberAt(output, 'prompt_length') ?? 0,
        response: numberAt(output, 'response_length') ?? 0,
        mask: numberAt(output, 'response_length') ?? 0,
        trained: numberAt(output, 'response_mask_sum') ?? 0,
      },
      ...(turns === undefined ? {} : { numTurns: turns }),
    };
    const [prompt, response] = [stringAt(output, 'prompt_text'), stringAt(output, 'response_text')];
    if (prompt !== undefined && response !== undefined) sample.text = { prompt, response };
    firstStep = end;
    return sample;
  });
}

const cue = '<|im_start|>assistant\n';

/** The view of a sample's first step is its prompt; each later one goes on to the next place where the model is cued. */
function viewsOf({ firstStep, lastStep, text }: Sample): RecordedView[] {
  if (text === undefined || lastStep < firstStep) return [];
  const views: RecordedView[] = [{ step: firstStep, keeps: 0, form: 'text', adds: text.prompt }];
  let from = 0;
  for (let step = firstStep + 1; step <= lastStep; step++) {
    const found = text.response.indexOf(cue, from);
    if (found < 0) break;
    const end = found + cue.length;
    views.push({
      step,
      keeps: text.prompt.length + from,
      form: 'text',
      adds: text.response.slice(from, end),
    });
    from = end;
  }
  return views;
}
