import {
  asksTheSame,
  capturedRollout,
  closest,
  JoinIndex,
  joinKeys,
  partnerFacts,
  runRole,
  type JoinedBy,
  type JoinKeys,
  type PartnerFact,
  type Relation,
  type RunRole,
} from '../formats';
import { arrayAt, at, stringAt } from '../model';
import { parseJson } from './parse';
import type { Cell, EpisodeRef } from './protocol';
import { relatedTo } from './siblings';
import type { OpenSource } from './source';

/** A record of the same run that belongs to an episode. */
export interface Partner {
  role: RunRole | Relation;
  ref: EpisodeRef;
  title: string;
  source: string;
  by: JoinedBy | 'agent' | 'rollout id' | 'name';
  /** The indices are the same and the requests are not: the two may come from different runs. */
  differs: boolean;
  facts: PartnerFact[];
}

/** What was found beside an episode in all open sources, and what was looked for in vain. */
export interface Partners {
  found: Partner[];
  /** How many more of a role there are than are listed. */
  more: number;
  /** Full sentences. */
  missing: string[];
}

/** Listed of one role; a task can have thousands of rollouts. */
const mostOfRole = 20;

/** Records are compared by what they ask only in sources up to this size: all of such a source must be read for it. */
const mostComparedBytes = 64 * 1024 * 1024;

/** What belongs to a record of each role, in the order it is shown. */
const wanted: Record<RunRole, readonly RunRole[]> = {
  rollout: ['input', 'failure', 'capture', 'profile', 'aggregate', 'agent'],
  failure: ['input', 'rollout', 'capture', 'profile', 'aggregate', 'agent'],
  input: ['rollout', 'failure', 'profile'],
  profile: ['input', 'rollout'],
  capture: ['rollout', 'failure'],
  aggregate: [],
  agent: [],
};

/** The partners of an episode; undefined where it is of no run that leaves several files. */
export async function partnersOf(
  ref: EpisodeRef,
  sources: readonly OpenSource[],
): Promise<Partners | undefined> {
  const own = sources.find(({ id }) => id === ref.source);
  const place = own?.table.recordAt(ref.episode);
  const related = own === undefined ? undefined : relatedTo(own, ref.episode, sources);
  if (related !== undefined) return related.length === 0 ? undefined : byName(related);
  const role = runRole(place?.format?.id ?? '');
  if (own === undefined || role === undefined) return undefined;
  const value = await valueAt(own, ref.episode);
  const me: Me = { source: own, row: ref.episode, role, value, keys: keysOf(own, ref.episode, role, value) };
  const partners: Partners = { found: [], more: 0, missing: [] };
  for (const other of wanted[role]) await find(me, other, sources, partners);
  return partners;
}

function byName(related: NonNullable<ReturnType<typeof relatedTo>>): Partners {
  const found = related.slice(0, mostOfRole).map(({ relation, source, row }): Partner => ({
    role: relation,
    ref: { source: source.id, episode: row },
    title: String(source.table.columns.get('title')?.cell(row) ?? ''),
    source: nameAt(source, row),
    by: 'name',
    differs: false,
    facts: [],
  }));
  return { found, more: related.length - found.length, missing: [] };
}

interface Me {
  source: OpenSource;
  row: number;
  role: RunRole;
  value: unknown;
  keys: JoinKeys;
}

function keysOf(source: OpenSource, row: number, role: RunRole, value: unknown): JoinKeys {
  if (role !== 'capture') return joinKeys(value);
  const rolloutId = capturedRollout(nameAt(source, row));
  return { ...(rolloutId === undefined ? {} : { rolloutId }), prints: [] };
}

/** The file's name within its container, or the source's own. */
function nameAt(source: OpenSource, row: number): string {
  const cell = (key: string): Cell => source.table.columns.get(key)?.cell(row);
  return String(cell('path') ?? cell('source') ?? source.id);
}

async function valueAt(source: OpenSource, row: number): Promise<unknown> {
  const raw = await source.raw(row);
  if (raw === undefined) return undefined;
  const whole = parseJson(raw.text, raw.line);
  if (whole.ok) return whole.value;
  // All lines of a source that is one episode.
  return raw.text.split('\n').flatMap((line) => {
    const parsed = parseJson(line, raw.line);
    return parsed.ok ? [parsed.value] : [];
  });
}

async function find(me: Me, role: RunRole, sources: readonly OpenSource[], into: Partners): Promise<void> {
  let isOpen = false;
  let listed = 0;
  for (const source of sources) {
    const rows = rowsOf(source, role).filter((row) => source !== me.source || row !== me.row);
    if (rows.length === 0) continue;
    isOpen = true;
    const found = await match(me, role, source, rows);
    if (typeof found === 'string') {
      into.missing.push(found);
      continue;
    }
    if (found.length === 0) into.missing.push(notIn(me, role, source));
    for (const each of found) {
      if (listed < mostOfRole) into.found.push(each);
      else into.more += 1;
      listed += 1;
    }
  }
  if (!isOpen && role === 'input') {
    into.missing.push(
      'No task inputs are open: open them beside the rollouts to see what the session was seeded with and what was expected.',
    );
  }
}

const roleNames: Record<RunRole, string> = {
  rollout: 'rollout',
  failure: 'failed attempt',
  input: 'task input',
  profile: 'reward profile',
  aggregate: 'statistics',
  agent: 'statistics',
  capture: 'captured model calls',
};

function notIn({ keys: { index } }: Me, role: RunRole, source: OpenSource): string {
  const place =
    index === undefined
      ? ''
      : ` for task ${index.task}${index.rollout === undefined ? '' : ` · rollout ${index.rollout}`}`;
  return `No ${roleNames[role]}${place} in ${nameAt(source, 0)}.`;
}

interface Roles {
  /** As many rows as the source had. */
  rows: number;
  byRole: Map<RunRole, number[]>;
}

const rolesKnown = new WeakMap<OpenSource, Roles>();

function rowsOf(source: OpenSource, role: RunRole): readonly number[] {
  const { rows } = source.table;
  let known = rolesKnown.get(source);
  if (known?.rows !== rows) {
    known = { rows, byRole: new Map() };
    for (let row = 0; row < rows; row++) {
      const own = runRole(source.table.recordAt(row)?.format?.id ?? '');
      if (own === undefined) continue;
      const list = known.byRole.get(own);
      if (list === undefined) known.byRole.set(own, [row]);
      else list.push(row);
    }
    rolesKnown.set(source, known);
  }
  return known.byRole.get(role) ?? [];
}

async function match(
  me: Me,
  role: RunRole,
  source: OpenSource,
  rows: readonly number[],
): Promise<Partner[] | string> {
  if (role === 'capture' || me.role === 'capture') return byRolloutId(me, role, source, rows);
  if (role === 'agent' || role === 'aggregate') return byAgent(me, role, source, rows);
  const numbered = await byIndex(me, role, source, rows);
  if (numbered.length > 0) return numbered;
  const task = source.table.columns.get('rollout');
  const allNumbered = rows.every((row) => task?.cell(row) !== undefined);
  if (me.keys.index !== undefined && allNumbered) return [];
  return byRequest(me, role, source, rows);
}

/** The table knows tasks and rollouts; the records say whether it were indices. */
async function byIndex(
  me: Me,
  role: RunRole,
  source: OpenSource,
  rows: readonly number[],
): Promise<Partner[]> {
  const { index } = me.keys;
  if (index === undefined) return [];
  const tasks = source.table.columns.get('task');
  const rollouts = source.table.columns.get('rollout');
  const isOfTask = role === 'profile' || me.role === 'profile' || index.rollout === undefined;
  const candidates = rows.filter((row) => {
    if (String(tasks?.cell(row)) !== index.task) return false;
    const rollout = rollouts?.cell(row);
    return isOfTask || rollout === undefined || rollout === index.rollout;
  });
  const partners: Partner[] = [];
  for (const row of candidates.slice(0, mostOfRole * 2)) {
    const value = await valueAt(source, row);
    const keys = joinKeys(value);
    if (keys.index?.task !== index.task) continue;
    partners.push(partner(me, role, source, row, value, 'index', !asksTheSame(me.keys, keys)));
  }
  return partners;
}

async function byRequest(
  me: Me,
  role: RunRole,
  source: OpenSource,
  rows: readonly number[],
): Promise<Partner[] | string> {
  if (me.keys.prints.length === 0) return [];
  const index = await requestsOf(source, role, rows);
  if (index === undefined) {
    return `${nameAt(source, 0)} is too big to be looked through for the same request.`;
  }
  const joined = index.find(me.keys);
  if (joined === undefined) return [];
  const values = new Map<number, unknown>();
  for (const row of joined.found.slice(0, mostOfRole * 2)) values.set(row, await valueAt(source, row));
  const fitting =
    role === 'input' ? closest(me.value, [...values.keys()], (row) => values.get(row)) : [...values.keys()];
  return fitting.map((row) => partner(me, role, source, row, values.get(row), joined.by, false));
}

const requestIndexes = new WeakMap<OpenSource, Map<RunRole, { rows: number; index: JoinIndex }>>();

/** Made once for a source, and again where it has grown. */
async function requestsOf(
  source: OpenSource,
  role: RunRole,
  rows: readonly number[],
): Promise<JoinIndex | undefined> {
  const known = requestIndexes.get(source) ?? new Map<RunRole, { rows: number; index: JoinIndex }>();
  requestIndexes.set(source, known);
  const made = known.get(role);
  if (made?.rows === rows.length) return made.index;
  if (source.searchableBytes > mostComparedBytes) return undefined;
  const index = new JoinIndex();
  for (const row of rows) index.add(joinKeys(await valueAt(source, row)), row);
  known.set(role, { rows: rows.length, index });
  return index;
}

async function byRolloutId(
  me: Me,
  role: RunRole,
  source: OpenSource,
  rows: readonly number[],
): Promise<Partner[]> {
  const { rolloutId } = me.keys;
  if (rolloutId === undefined) return [];
  if (role === 'capture') {
    const row = rows.find((each) => capturedRollout(nameAt(source, each)) === rolloutId);
    if (row === undefined) return [];
    return [partner(me, role, source, row, await valueAt(source, row), 'rollout id', false)];
  }
  const [task] = rolloutId.split('-');
  const tasks = source.table.columns.get('task');
  for (const row of rows.filter((each) => String(tasks?.cell(each)) === task)) {
    const value = await valueAt(source, row);
    if (joinKeys(value).rolloutId === rolloutId) {
      return [partner(me, role, source, row, value, 'rollout id', false)];
    }
  }
  return [];
}

/** Files of statistics have a record per agent: few enough to read them all. */
async function byAgent(
  me: Me,
  role: RunRole,
  source: OpenSource,
  rows: readonly number[],
): Promise<Partner[]> {
  const partners: Partner[] = [];
  for (const row of rows.slice(0, mostOfRole * 5)) {
    const value = await valueAt(source, row);
    const agent = stringAt(at(value, 'agent_ref'), 'name');
    const isAlone = rows.length === 1 && me.keys.agent === undefined;
    if (agent !== me.keys.agent && !isAlone) continue;
    const isGrouped = arrayAt(value, 'group_level_metrics') !== undefined && me.keys.index !== undefined;
    partners.push(partner(me, role, source, row, value, isGrouped ? 'index' : 'agent', false));
  }
  return partners;
}

function partner(
  me: Me,
  role: RunRole,
  source: OpenSource,
  row: number,
  value: unknown,
  by: Partner['by'],
  differs: boolean,
): Partner {
  return {
    role,
    ref: { source: source.id, episode: row },
    title: String(source.table.columns.get('title')?.cell(row) ?? ''),
    source: nameAt(source, row),
    by,
    differs,
    facts: partnerFacts(role, value, me.keys),
  };
}
