import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import type { Breakpoint, Run, RunSnapshot } from '../../../live';
import { Button } from '../../controls/Button';
import { errorText } from '../../../model/error-text';
import styles from './bar.module.css';

type Kind = Breakpoint['kind'];

const kinds: readonly { kind: Kind; label: string; asks?: string; example?: string }[] = [
  { kind: 'tool', label: 'a tool is called', asks: 'Tool', example: 'increment_counter' },
  { kind: 'state', label: 'a place of the state changes', asks: 'JSON pointer', example: '/count' },
  { kind: 'condition', label: 'a condition becomes true', asks: 'Condition', example: '/count > 3' },
  { kind: 'delete', label: 'the policy deletes from its context' },
  { kind: 'finding', label: 'lint finds something new' },
  { kind: 'budget', label: 'the context reaches', asks: 'Tokens', example: '4000' },
  { kind: 'error', label: 'something fails' },
];

/** Where the run pauses by itself. */
export function BreakpointsMenu({ snapshot, run }: { snapshot: RunSnapshot; run: Run }) {
  const { breakpoints } = snapshot;
  const [kind, setKind] = useState<Kind>('tool');
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const chosen = kinds.find((each) => each.kind === kind);
  const set = (list: readonly Breakpoint[]) => {
    try {
      run.setBreakpoints(list);
      setFault(undefined);
      return true;
    } catch (error) {
      setFault(errorText(error));
      return false;
    }
  };
  const add = () => {
    const made = breakpointOf(kind, text.trim(), newId(breakpoints));
    if (typeof made === 'string') setFault(made);
    else if (set([...breakpoints, made])) setText('');
  };
  const on = breakpoints.filter(({ enabled }) => enabled !== false).length;
  return (
    <Popover.Root>
      <Popover.Trigger render={<Button />}>
        {on === 0 ? 'Breakpoints' : `Breakpoints (${on})`}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={6} className={styles.positioner ?? ''}>
          <Popover.Popup className={styles.popup ?? ''} aria-label="Breakpoints">
            <Popover.Title className={styles.popupTitle ?? ''}>Pause when</Popover.Title>
            <ul className={styles.breakpoints}>
              {breakpoints.map((breakpoint) => (
                <li key={breakpoint.id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={breakpoint.enabled !== false}
                      onChange={(event) =>
                        set(
                          breakpoints.map((other) =>
                            other.id === breakpoint.id
                              ? { ...other, enabled: event.currentTarget.checked }
                              : other,
                          ),
                        )
                      }
                    />
                    {wordsOf(breakpoint)}
                  </label>
                  <Button
                    kind="quiet"
                    aria-label={`Remove: ${wordsOf(breakpoint)}`}
                    onClick={() => set(breakpoints.filter(({ id }) => id !== breakpoint.id))}
                  >
                    ×
                  </Button>
                </li>
              ))}
            </ul>
            <form
              className={styles.adding}
              onSubmit={(event) => {
                event.preventDefault();
                add();
              }}
            >
              <select
                aria-label="Kind of breakpoint"
                value={kind}
                onChange={(event) => {
                  const next = kinds.find((each) => each.kind === event.currentTarget.value);
                  if (next !== undefined) setKind(next.kind);
                  setFault(undefined);
                }}
              >
                {kinds.map((each) => (
                  <option key={each.kind} value={each.kind}>
                    {each.label}
                  </option>
                ))}
              </select>
              {chosen?.asks === undefined ? null : (
                <input
                  aria-label={chosen.asks}
                  placeholder={chosen.example}
                  spellCheck={false}
                  value={text}
                  aria-invalid={fault !== undefined}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
              <Button type="submit">Add</Button>
            </form>
            {fault === undefined ? null : <p className={styles.fault}>{fault}</p>}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function newId(breakpoints: readonly Breakpoint[]): string {
  return String(Math.max(0, ...breakpoints.map(({ id }) => Number(id) || 0)) + 1);
}

/** The breakpoint, or what is missing for it. */
function breakpointOf(kind: Kind, text: string, id: string): Breakpoint | string {
  switch (kind) {
    case 'tool':
      return text === '' ? 'Which tool?' : { kind, id, name: text };
    case 'state':
      return text === '' || text.startsWith('/')
        ? { kind, id, pointer: text }
        : 'A JSON pointer starts with a slash: /count';
    case 'condition':
      return text === '' ? 'Which condition?' : { kind, id, text };
    case 'budget': {
      const tokens = Number(text);
      return Number.isInteger(tokens) && tokens > 0 ? { kind, id, tokens } : 'How many tokens?';
    }
    case 'delete':
    case 'finding':
    case 'error':
      return { kind, id };
  }
}

function wordsOf(breakpoint: Breakpoint): string {
  switch (breakpoint.kind) {
    case 'tool':
      return `${breakpoint.name} is called`;
    case 'state':
      return `${breakpoint.pointer === '' ? 'the state' : breakpoint.pointer} changes`;
    case 'condition':
      return breakpoint.text;
    case 'delete':
      return 'the policy deletes from its context';
    case 'finding':
      return 'lint finds something new';
    case 'budget':
      return `the context reaches ${breakpoint.tokens} tokens`;
    case 'error':
      return 'something fails';
  }
}
