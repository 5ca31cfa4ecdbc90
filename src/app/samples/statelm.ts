import { recordOf, type ScriptedTurn } from './statelm-loop';

/** A lighthouse's logbook, read in pieces by a policy that deletes what it has read. */

const pages = [
  'Monday. Wind from the west, four. Two coasters passed before noon. I trimmed the wick at dusk and wound the clockwork at eight. The supply boat did not come. Oil enough for nineteen nights.',
  'Tuesday. Fog from five in the morning. The horn ran for eleven hours and used a third of the coal. A schooner answered from the south, very close, and then no more. I wrote down the hour: ten past three.',
  'Wednesday. The fog lifted at noon. The schooner Alma lies on the inner bank with her foremast gone, her people safe on the beach. Her master says he saw no light: he had passed the point by day and turned back.',
  'Thursday. The supply boat came with oil, flour and the new mantle. Its skipper took the master of the Alma to town. I changed the mantle before dusk, and the light carries farther than it did.',
];

const read = (page: number): ScriptedTurn => ({
  say: `I read page ${page + 1} of the logbook.`,
  call: { name: 'readChunk', args: { chunk_id: page } },
  answer: { status: 'success', chunk_id: page, retrieved_chunk: pages[page] },
});

const note = (key: string, summary: string, content: string): ScriptedTurn => ({
  say: 'This is worth keeping.',
  call: { name: 'note', args: { key, summary, content } },
});

const forget = (say: string, ...ids: number[]): ScriptedTurn => ({
  say,
  call: { name: 'deleteContext', args: { message_ids: ids } },
});

const finish = (say: string, answer: string): ScriptedTurn => ({
  say,
  call: { name: 'finish', args: { answer } },
  answer: { final_answer: answer },
});

const rules =
  'The logbook of a lighthouse is too long to be read at once. Read it page by page with readChunk, keep what matters ' +
  'with note, and delete with deleteContext what you no longer need: pages that you have read, and your calls that ' +
  'asked for them. Name messages by their msg_id. Notes stay when messages go, and are listed at the end of this ' +
  'message. When you know the answer, call finish with it, in one short sentence, and say nothing after that. Do not ' +
  'guess: if the logbook does not tell, say so. Hours are given in words, days by their names, and everything that ' +
  'the keeper heard from others counts as told, not as seen.';

/** Three deletes, each after a page whose gist is noted: four samples that train every turn once. */
export function deletes(): string {
  const question = `Which ship stranded, and why did her master see no light?\n\n${rules}`;
  const turns = [
    read(0),
    forget('Nothing of use there. I delete the page.', 2),
    read(1),
    note(
      'schooner',
      'a schooner was heard in the fog',
      'Tuesday, ten past three, from the south, very close.',
    ),
    forget('The note holds what I need. I delete the page and the call.', 5, 6),
    read(2),
    note(
      'alma',
      'the Alma stranded on the inner bank',
      'Her master had passed the point by day and turned back.',
    ),
    forget('I delete this page as well.', 12),
    finish('I know the answer.', 'The Alma; he had passed the point by day and turned back.'),
  ];
  return `${recordOf({ id: 'logbook-deletes', question, turns }, 1)}\n`;
}

/** The whole week at once, from one of the copies of the logbook. */
const readWeek = (copy: string): ScriptedTurn => ({
  say: `I read the ${copy} copy.`,
  call: { name: 'loadDocument', args: { name: copy } },
  answer: { status: 'success', name: copy, text: pages.join('\n') },
});

/** Everything is deleted at once: the mask is then longer than the context, and the last sample trains nothing. */
export function outgrown(): string {
  const turns = [
    readWeek("keeper's"),
    readWeek("harbour office's"),
    readWeek("insurer's"),
    forget('The copies are alike. I delete all of them.', 1, 2, 3, 4, 5, 6),
    finish('It was in all three.', 'The Alma.'),
  ];
  return `${recordOf({ id: 'logbook-outgrown', question: 'Which ship stranded?', turns }, 2)}\n`;
}
