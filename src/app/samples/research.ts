import { library, tools } from './reports';
import { jsonl, row, system, user, type Call, type Item, type Turn } from './rollout';

/**
 * Four rollouts of one question. The raw numbers point to the wrong station: only who reads the corrections and the
 * field log gets the full reward.
 */

const prompt: Item[] = [
  system(
    'You answer questions about the Kestrel Valley snow survey. Use the tools; cite the documents you rely on by id. ' +
      'Show your numbers in a table.',
  ),
  user(
    'Which station lost the largest share of its April snow depth between 2019 and 2023, and what explains it ' +
      'according to its field log?',
  ),
];

const search = (query: string): Call => ({ name: 'search', args: { query } });
const open = (document: string): Call => ({ name: 'open_document', args: { document } });
const read = (document: string, section: string): Call => ({
  name: 'read_section',
  args: { document, section },
});
const change = (from: number, to: number): Call => ({ name: 'percent_change', args: { from, to } });

const allChanges = [change(214, 171), change(188, 121), change(96, 58), change(142, 139)];
const readDepths: Turn[] = [
  { calls: [open('report-2019'), open('report-2023')] },
  { calls: [read('report-2019', 'depths'), read('report-2023', 'depths')] },
];

const careful: Turn[] = [
  {
    think: [
      '**Planning.** I need the depths of both years, then the field log of the station that lost most.',
    ],
    calls: [search('annual report')],
  },
  ...readDepths,
  { calls: allChanges },
  {
    think: [
      '**Comparing.** Tarn Ridge lost 39.6 %, Ennis Bowl 35.6 %.',
      'The 2023 table says that corrections are not applied. Before I answer I should find out which there are.',
    ],
    calls: [search('corrections'), search('Tarn Ridge field log')],
  },
  { calls: [open('report-2021'), open('log-tarn')] },
  { calls: [read('report-2021', 'corrections')] },
  {
    think: ['The station was moved. The field log should confirm it.'],
    calls: [read('log-tarn', '2021')],
  },
  {
    think: ['58 cm at the new site is 58 × 1.31 = 76 cm at the old one.'],
    calls: [change(96, 76)],
  },
  {
    say: 'Corrected, Tarn Ridge lost about 21 %. That leaves **Ennis Bowl**. I look for the reason in its log.',
    calls: [search('Ennis Bowl field log')],
  },
  { calls: [open('log-ennis')] },
  { calls: [read('log-ennis', '2020')] },
  { think: ['Is it still so later on?'], calls: [read('log-ennis', '2022')] },
  { think: ['And was the fence there in 2019?'], calls: [read('log-ennis', '2019')] },
  {
    think: ['All parts are there: the corrected numbers and the reason.'],
    say: `**Ennis Bowl** lost the largest share, 35.6 %, because its wind fence was taken down in November 2020.

| station | 2019 (cm) | 2023 (cm) | change |
|---|---:|---:|---:|
| Ennis Bowl | 188 | 121 | **-35.6 %** |
| Tarn Ridge | 96 | 76 (corrected) | -20.8 % |
| Harrow Pass | 214 | 171 | -20.1 % |
| Old Quarry | 142 | 139 | -2.1 % |

Tarn Ridge seems to have lost more (-39.6 %) only if one overlooks that it was moved in 2021:

\`\`\`python
factor = 1.31  # report-2021, corrections
corrected = round(58 * factor)  # 76
print(round((corrected - 96) / 96 * 100, 1))  # -20.8
\`\`\`

Sources: \`report-2019\`, \`report-2021\`, \`report-2023\`, \`log-tarn\` (2021), \`log-ennis\` (2020, 2022).`,
  },
];

const withoutReason: Turn[] = [
  { think: ['I start with the reports.'], calls: [search('annual report')] },
  ...readDepths,
  { calls: allChanges },
  { calls: [search('Tarn Ridge moved')] },
  { calls: [read('report-2021', 'summary'), read('report-2021', 'corrections')] },
  { calls: [change(96, 76)] },
  {
    think: ['Ennis Bowl it is. The three winters below the mean explain it well enough.'],
    say: `It is **Ennis Bowl**: 188 cm in 2019, 121 cm in 2023, a loss of 35.6 %.

The reason is a series of poor winters (\`report-2023\`, summary).`,
  },
];

/** A model whose template leaves its thoughts in the text. */
const hasty: Turn[] = [
  {
    say: '<think>\nI need two reports. Let me search for them.\n</think>\n\nLooking up the reports.',
    calls: [search('annual report')],
  },
  ...readDepths,
  {
    say: '<think>\n58/96 is about 0.60, 121/188 is about 0.64. So Tarn Ridge lost most, no need for the calculator.\n</think>\n',
    calls: [open('log-tarn')],
  },
  { calls: [read('log-tarn', '2023')] },
  {
    say: `<think>
The log says shallow, crusted snow. Good enough.
</think>

**Tarn Ridge** lost the largest share:

1. 2019: 96 cm
2. 2023: 58 cm, that is *39.6 % less*

Its field log speaks of shallow, crusted snow in 2023 (\`log-tarn\`).`,
  },
];

const lost: Turn[] = [
  { think: [], calls: [search('largest loss of April snow depth 2019 2023')] },
  { think: [], calls: [search('snow depth loss April 2019 to 2023 by station')] },
  { calls: [search('largest loss of April snow depth 2019 2023')] },
  { calls: [open('report-2020')] },
  { calls: [search('largest loss of April snow depth 2019 2023')] },
  { think: [], say: 'The documents do not seem to hold the depths. I would suggest to look at the' },
];

interface Plan {
  turns: Turn[];
  reward: number;
  answer: string | null;
  cited: number;
  response?: Item;
}

const plans: Plan[] = [
  { turns: withoutReason, reward: 0.6, answer: 'Ennis Bowl', cited: 1 },
  {
    turns: lost,
    reward: 0,
    answer: null,
    cited: 0,
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
  },
  { turns: careful, reward: 1, answer: 'Ennis Bowl', cited: 5 },
  { turns: hasty, reward: 0.2, answer: 'Tarn Ridge', cited: 1 },
];

export function research(): string {
  return jsonl(
    plans.map(({ turns, reward, answer, cited, response }, rollout) =>
      row({
        task: 17,
        rollout,
        agent: 'field_research_agent',
        prompt,
        tools,
        turns,
        environment: library,
        reward,
        row: {
          expected_answer: 'Ennis Bowl',
          extracted_answer: answer,
          station_correct: answer === 'Ennis Bowl',
          documents_cited: cited,
        },
        ...(response === undefined ? {} : { response }),
      }),
    ),
  );
}
