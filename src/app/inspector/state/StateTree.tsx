import { useState } from 'react';
import { isObject, pointer as pointerOf } from '../../../model';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { Name } from '../../markdown';
import { oneLine } from '../../words/format';
import { pathText, shown } from './text';
import styles from './state.module.css';

interface StateTreeProps {
  value: unknown;
  /** Pointers of what the step changed. */
  changed: ReadonlySet<string>;
  pinned: readonly string[];
  onPin: (pointer: string) => void;
  onChangedAt: (pointer: string) => void;
}

/** A JSON value that opens level by level; what is closed is not drawn. */
export function StateTree(props: StateTreeProps) {
  return (
    <ul className={styles.tree}>
      {isContainer(props.value) ? (
        <Children {...props} of={props.value} pointer="" />
      ) : (
        <Leaf {...props} name="(state)" value={props.value} pointer="" />
      )}
    </ul>
  );
}

interface NodeProps extends StateTreeProps {
  pointer: string;
  name: string;
}

function Children({
  of,
  pointer,
  ...rest
}: Omit<StateTreeProps, 'value'> & { value: unknown; of: object; pointer: string }) {
  const entries: [string, unknown][] = Object.entries(of);
  const { shown: first, rest: more, showMore } = useFirst(entries, of);
  return (
    <>
      {first.map(([key, child]) => {
        const place = pointer + pointerOf(key);
        const node = { ...rest, name: key, value: child, pointer: place };
        return isContainer(child) && Object.keys(child).length > 0 ? (
          <Branch key={key} {...node} of={child} />
        ) : (
          <Leaf key={key} {...node} />
        );
      })}
      {more === 0 ? null : (
        <li>
          <More rest={more} onMore={showMore} />
        </li>
      )}
    </>
  );
}

function Branch({ of, ...node }: NodeProps & { of: object }) {
  const [open, setOpen] = useState(() => opensAtFirst(node.pointer, of));
  const isChanged = within(node.changed, node.pointer);
  return (
    <li>
      <div className={styles.node} data-changed={isChanged || undefined}>
        <button type="button" className={styles.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Key name={node.name} />
          <span className={styles.gist}>{shown(of)}</span>
        </button>
        <Tools {...node} isChanged={isChanged} />
      </div>
      {open ? (
        <ul>
          <Children {...node} of={of} />
        </ul>
      ) : null}
    </li>
  );
}

function Leaf(node: NodeProps) {
  const isChanged = within(node.changed, node.pointer);
  return (
    <li>
      <div className={styles.node} data-changed={isChanged || undefined}>
        <Key name={node.name} />
        <span className={styles.value}>{shown(node.value)}</span>
        <Tools {...node} isChanged={isChanged} />
      </div>
    </li>
  );
}

function Key({ name }: { name: string }) {
  return (
    <span className={styles.key}>
      <Name text={oneLine(name, 80)} />
    </span>
  );
}

function Tools({ pointer, pinned, onPin, onChangedAt, isChanged }: NodeProps & { isChanged: boolean }) {
  const path = pathText(pointer);
  const isPinned = pinned.includes(pointer);
  return (
    <span className={styles.tools}>
      {isChanged ? <span className={styles.mark}>changed</span> : null}
      <button
        type="button"
        aria-label={`The step that changed ${path}`}
        title="Go to the step that changed this"
        onClick={() => onChangedAt(pointer)}
      >
        ←
      </button>
      <button
        type="button"
        aria-pressed={isPinned}
        aria-label={`Pin ${path}`}
        title={isPinned ? 'Unpin' : 'Keep in sight'}
        onClick={() => onPin(pointer)}
      >
        {isPinned ? '●' : '○'}
      </button>
    </span>
  );
}

/** The first level, and small things a little further down. */
function opensAtFirst(pointer: string, of: object): boolean {
  const depth = pointer.split('/').length - 1;
  return depth <= 1 || (depth <= 3 && Object.keys(of).length <= 8);
}

/** Whether the place, or something in it, or all around it, is among the changed. */
function within(changed: ReadonlySet<string>, pointer: string): boolean {
  if (changed.has(pointer) || changed.has('')) return true;
  for (const other of changed) {
    if (other.startsWith(`${pointer}/`) || pointer.startsWith(`${other}/`)) return true;
  }
  return false;
}

const isContainer = (value: unknown): value is object => Array.isArray(value) || isObject(value);
