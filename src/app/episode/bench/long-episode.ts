/**
 * A StateLM episode of so many messages as its inference code writes it: a call and its result at every step, and every
 * fifth call deletes the result before it. 10,000 messages are 5,000 steps and 1,000 deletes.
 */
export function longEpisode(messages: number): string {
  const history: object[] = [
    { role: 'user', content: [{ type: 'text', text: 'What does the logbook say?' }] },
  ];
  for (let step = 0; step < messages / 2; step++) {
    const id = 2 * step + 1;
    const deletes = step % 5 === 4;
    const args = deletes ? `{"msg_id": ${id - 1}}` : `{"chunk_id": ${step}}`;
    history.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: deletes ? 'That page is noted.' : `I read page ${step} of the logbook.` },
        ],
        tool_calls: [
          {
            id: `call_${step}`,
            type: 'function',
            function: { name: deletes ? 'deleteContext' : 'readChunk', arguments: args },
          },
        ],
        msg_id: id,
      },
      {
        role: 'tool',
        tool_call_id: `call_${step}`,
        tool_name: deletes ? 'deleteContext' : 'readChunk',
        content: deletes
          ? { status: 'success', deleted_msg_id: id - 1, deleted_role: 'tool' }
          : { status: 'success', chunk_id: step, retrieved_chunk: pageOf(step) },
        msg_id: id + 1,
        'msg_id(invoking_assistant)': id,
      },
    );
  }
  return JSON.stringify({
    sample_id: 'long',
    query: 'What does the logbook say?',
    system_prompt: 'You read a logbook page by page.',
    result_info: { status: 'success' },
    full_history: history,
  });
}

function pageOf(step: number): string {
  return `Day ${step}. Wind from the west, force ${step % 9}. Two coasters passed before noon, and the horn was silent. `.repeat(
    3,
  );
}
