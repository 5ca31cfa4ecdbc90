import { arrayAt, at, isObject, stringAt } from '../../model';

/** A trajectory and where it stands in its record. */
export interface Trajectory {
  value: unknown;
  path: (string | number)[];
  /** The trajectory it is a subagent of. */
  parent?: Trajectory;
}

export function isAtif(value: unknown): boolean {
  return /^ATIF-v\d/.test(stringAt(value, 'schema_version') ?? '');
}

/** Agents do not nest this deep; what a hostile record nests deeper is left in it. */
const deepest = 32;

/**
 * The trajectories of a record: its own, and after it those of its subagents, each before those of its own subagents.
 * Evaluations of the NeMo Agent Toolkit have a trajectory inside each item: `{ item_id, trajectory }`.
 */
export function trajectoriesOf(value: unknown): Trajectory[] {
  const inner = at(value, 'trajectory');
  const root: Trajectory = isAtif(value) ? { value, path: [] } : { value: inner, path: ['trajectory'] };
  const found: Trajectory[] = [];
  const open: Trajectory[] = [root];
  // Without recursion: a hostile record can be nested deeper than the stack.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const parent = next;
    found.push(parent);
    if (parent.path.length > 2 * deepest) continue;
    const children = arrayAt(parent.value, 'subagent_trajectories') ?? [];
    for (let nth = children.length - 1; nth >= 0; nth--) {
      const child = children[nth];
      const path = [...parent.path, 'subagent_trajectories', nth];
      if (isObject(child)) open.push({ value: child, path, parent });
    }
  }
  return found;
}
