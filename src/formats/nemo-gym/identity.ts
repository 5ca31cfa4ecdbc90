import { at, beginning, numberAt, type TaskRef } from '../../model';
import { shortTitle } from '../title';

/** Fields that say which task or sample a record is about, the surest first. */
const idKeys = ['task_id', 'instance_id', 'uuid', 'problem_id', 'id', 'provenance_id', 'name', 'question'];
/** Of these, the ones that mean the task and not the text of it. */
const taskKeys = ['_ng_task_index', 'task_idx', 'task_id', 'instance_id', 'uuid', 'problem_id', 'id'];

export function taskOf(record: unknown): TaskRef | undefined {
  for (const name of taskKeys) {
    const key = idAt(record, name);
    if (key === undefined) continue;
    const rollout = numberAt(record, '_ng_rollout_index');
    const attempt = numberAt(record, '_ng_attempt_index');
    return {
      key,
      ...(rollout === undefined ? {} : { rollout }),
      ...(attempt === undefined ? {} : { attempt }),
    };
  }
  return undefined;
}

/**
 * Something a person recognises: `task 17 · rollout 3`, else what the record calls itself, else `record 12`.
 * Two records may have the same: files exist that hold one rollout twice.
 */
export function titleOf(record: unknown, index: number): string {
  const task = idAt(record, '_ng_task_index') ?? idAt(record, 'task_idx');
  if (task !== undefined) {
    const rollout = idAt(record, '_ng_rollout_index');
    const attempt = idAt(record, '_ng_attempt_index');
    return [
      `task ${task}`,
      ...(rollout === undefined ? [] : [`rollout ${rollout}`]),
      ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ].join(' · ');
  }
  for (const name of idKeys) {
    const id = idAt(record, name);
    if (id === undefined) continue;
    return typeof at(record, name) === 'number' ? `${name} ${id}` : shortened(id);
  }
  return `record ${index}`;
}

function idAt(record: unknown, name: string): string | undefined {
  const id = at(record, name);
  if (typeof id === 'number' && Number.isFinite(id)) return String(id);
  return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** On one line, and no longer than fits a table cell. */
function shortened(text: string): string {
  // No more than what is left of a long string for a summary.
  return shortTitle(beginning(text, 200).replaceAll(/\s+/g, ' ').trim());
}
