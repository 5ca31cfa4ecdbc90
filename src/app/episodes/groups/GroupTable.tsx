import {
  useEffect,
  useId,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ColumnInfo, Row } from '../../../ingest/protocol';
import { Notice } from '../../controls/Notice';
import { ingest } from '../../data/ingest';
import { usePlace } from '../../place/usePlace';
import { useSources } from '../../stores/sources';
import { foundIn } from '../../search/results';
import { useSearch } from '../../search/store';
import { refKey } from '../cursor';
import { NoneLeft, restMs, rowHeight, type EpisodeTableProps } from '../EpisodeTable';
import { rowAfterKey } from '../keys';
import { partIds } from '../reach';
import { useFixedRows } from '../useFixedRows';
import { useRowsWanted } from '../useRowWindows';
import { titleColumn } from '../columns';
import { groupColumns, layoutOf, orderFrom } from './columns';
import { flatAt, rowOfGroup, type FlatRow } from './flat';
import { GroupBar } from './GroupBar';
import { GroupHeader } from './GroupHeader';
import { AllRow, GroupRow, MemberRow } from './GroupRow';
import { sideways } from './keys';
import { useGroupSettings } from './settings';
import { sourceLabels } from './sourceLabels';
import { useGroupCursor } from './useGroupCursor';
import { useGroups } from './useGroups';
import { useFoundInGroups, useWalkedTo } from './useResults';
import table from '../table.module.css';
import styles from './groups.module.css';

interface GroupTableProps extends EpisodeTableProps {
  /** The column whose equal values make a group. */
  by: string;
  infos: readonly ColumnInfo[];
}

/** The episodes by task: what is told of each group, and its rollouts where it is open. */
export function GroupTable({
  by,
  infos,
  query,
  revision,
  windows: rowsOfAll,
  columns,
  selected,
  onSelect,
}: GroupTableProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const { groupSort, pool } = usePlace();
  const pooled = pool !== undefined;
  const { k } = useGroupSettings();
  const found = useSearch(({ state }) => state?.found);
  const order = orderFrom(groupSort, groupColumns(k));
  const groups = useGroups({ query, by, order, pooled, revision, infos });
  const told = groupColumns(k, { filtered: query.filter !== undefined, most: groups.all?.n ?? 0 });
  const filled = useSources(useShallow(({ list }) => list.filter(({ episodes }) => episodes > 0)));
  const others = columns.visible.filter(
    ({ id: key }) => key !== titleColumn && key !== 'reward' && key !== by,
  );

  const rows = useFixedRows({ scroller, count: groups.rows, rowHeight, headHeight: 2 * rowHeight });
  const { first, end, show } = rows;
  // How many episodes there are in all is told above the table.
  useRowsWanted(rowsOfAll, { query, revision, first: 0, end: 0 });
  const firstGroup = flatAt(first, groups.open).group;
  useRowsWanted(groups.windows, {
    query: groups.request,
    revision,
    first: firstGroup,
    end: firstGroup + end - first,
  });
  useEffect(() => groups.wantMembers(first, end));
  const foundInGroup = useFoundInGroups(groups.request, revision, firstGroup, firstGroup + end - first);

  const { active, put } = useGroupCursor(groups);
  const asked = JSON.stringify(groups.request);
  const lastAsked = useRef(asked);
  useEffect(() => {
    if (lastAsked.current === asked) return;
    lastAsked.current = asked;
    scroller.current?.scrollTo({ top: 0 });
  }, [asked]);

  // The row is there to be shown once its group has been drawn open.
  const toShow = useRef<{ group: number; nth: number }>(undefined);
  useWalkedTo(({ nth, ...group }) => {
    const { index } = group;
    toShow.current = { group: index, nth };
    groups.reveal(group);
    put(rowOfGroup(index, groups.open) + 1 + nth, { group, member: { nth, ref: undefined } });
  });
  useEffect(() => {
    const { current: wanted } = toShow;
    if (wanted === undefined || !groups.open.some(({ index }) => index === wanted.group)) return;
    toShow.current = undefined;
    show(rowOfGroup(wanted.group, groups.open) + 1 + wanted.nth);
  });

  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(opening.current), []);

  async function openMember(at: Extract<FlatRow, { kind: 'member' }>, known: Row | undefined): Promise<void> {
    const { rows: asked } =
      known === undefined
        ? await ingest().rows(groups.memberQuery(at.of), at.nth, at.nth + 1)
        : { rows: [known] };
    const ref = asked[0]?.ref;
    if (ref !== undefined) onSelect(ref);
  }

  function moveTo(row: number, held: boolean): void {
    clearTimeout(opening.current);
    put(row);
    show(row);
    const at = flatAt(row, groups.open);
    if (at.kind !== 'member') return;
    const known = groups.members.of(at.of).row(at.nth);
    opening.current = setTimeout(() => void openMember(at, known), held ? restMs : 0);
  }

  function toggle(group: number): void {
    const known = groups.windows.row(group);
    if (known !== undefined) groups.toggle({ ...known, index: group });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rowAfterKey(event.key, { active, total: groups.rows, page: rows.page });
    const at = active === undefined ? undefined : flatAt(active, groups.open);
    const isOpen = groups.open.some(({ index }) => index === at?.group);
    const side = at === undefined ? undefined : sideways(event.key, at, isOpen);
    if (row !== undefined) moveTo(row, event.repeat);
    else if (at !== undefined && side === 'toggle') toggle(at.group);
    else if (at !== undefined && side === 'parent') moveTo(rowOfGroup(at.group, groups.open), false);
    else if (active !== undefined && side === 'child') moveTo(active + 1, false);
    else if (at !== undefined && active !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      if (at.kind === 'group') toggle(at.group);
      else moveTo(active, false);
    } else return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    if (target?.dataset['row'] === undefined) return;
    const row = Number(target.dataset['row']);
    moveTo(row, false);
    const at = flatAt(row, groups.open);
    if (at.kind === 'group') toggle(at.group);
  }

  const name = infos.find((info) => info.key === by)?.label ?? by;
  const noun = by === 'task' ? 'task' : 'group';
  const several = filled.length > 1 && by !== 'source';
  const labels = useMemo(
    () => (several && !pooled ? sourceLabels(filled) : undefined),
    [several, pooled, filled],
  );
  const sizes = others.map((column) => column.getSize());
  const [wide, narrow] = [layoutOf(told, sizes, order, 'wide'), layoutOf(told, sizes, order, 'narrow')];
  const layout: CSSProperties & Record<`--${string}`, string> = {
    height: rows.height,
    '--wide-tracks': wide.tracks,
    '--wide-width': wide.width,
    '--narrow-tracks': narrow.tracks,
    '--narrow-width': narrow.width,
  };
  const rowId = (index: number) => `${id}-row-${index}`;
  const drawn = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
  const failure = groups.windows.failure();
  const selectedKey = refKey(selected);
  return (
    <>
      <GroupBar
        name={name}
        total={groups.total}
        all={groups.all}
        filtered={query.filter !== undefined}
        several={several}
        pooled={pooled}
      />
      {failure === undefined ? null : (
        <p role="alert" className={table.failure}>
          The groups could not be made: {failure}. End the grouping and try again.
        </p>
      )}
      <div ref={scroller} className={`${table.scroller} ${styles.scroller}`}>
        <table
          id={partIds.table}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
          role="treegrid"
          aria-label="Episodes"
          aria-rowcount={groups.rows + 2}
          aria-colcount={1 + told.length + others.length}
          aria-activedescendant={
            active !== undefined && active >= first && active < end ? rowId(active) : undefined
          }
          tabIndex={0}
          className={`${table.grid} ${styles.grid}`}
          data-aside={rows.aside || undefined}
          style={layout}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <GroupHeader name={name} columns={told} order={order} others={others}>
            {groups.total === 0 ? null : (
              <AllRow
                all={groups.all}
                total={groups.total ?? 0}
                noun={noun}
                columns={told}
                others={others.length}
              />
            )}
          </GroupHeader>
          <tbody className={table.drawn} style={{ top: rows.top }}>
            {drawn.map((index) => {
              const at = flatAt(index, groups.open);
              if (at.kind === 'group') {
                const group = groups.windows.row(at.group);
                return (
                  <GroupRow
                    key={index}
                    id={rowId(index)}
                    index={index}
                    group={group}
                    source={labels?.get(group?.source ?? '')}
                    open={groups.open.some((each) => each.index === at.group)}
                    active={index === active}
                    columns={told}
                    others={others.length}
                    found={group === undefined ? 0 : foundInGroup(group)}
                  />
                );
              }
              const row = groups.members.of(at.of).row(at.nth);
              return (
                <MemberRow
                  key={index}
                  id={rowId(index)}
                  index={index}
                  row={row}
                  of={at.of.key}
                  selected={row !== undefined && refKey(row.ref) === selectedKey}
                  active={index === active}
                  columns={told}
                  others={others}
                  found={row === undefined ? 0 : foundIn(found, row.ref)}
                />
              );
            })}
          </tbody>
        </table>
        {groups.total === 0 ? (
          query.filter === undefined ? (
            <div className={styles.none}>
              <Notice title="Nothing to group">No episode here has a value of {name}.</Notice>
            </div>
          ) : (
            <NoneLeft />
          )
        ) : null}
      </div>
    </>
  );
}
