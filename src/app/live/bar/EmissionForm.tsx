import { useState } from 'react';
import type { EmittedCall, Emission } from '../../../agent';
import { arrayAt, at, isObject, stringAt, type ToolSpec } from '../../../model';
import { Button } from '../../controls/Button';
import styles from './bar.module.css';

interface EmissionFormProps {
  title: string;
  first?: Emission;
  tools: readonly ToolSpec[];
  /** What the button says. */
  submit: string;
  onSubmit: (emission: Emission) => void;
  onCancel?: () => void;
}

interface DraftCall {
  key: number;
  callId?: string;
  name: string;
  arguments: string;
}

/** An assistant turn to be written: its text, and calls whose arguments start from the tool's schema. */
export function EmissionForm({ title, first, tools, submit, onSubmit, onCancel }: EmissionFormProps) {
  const [text, setText] = useState(first?.text ?? '');
  const [calls, setCalls] = useState<readonly DraftCall[]>(() =>
    (first?.toolCalls ?? []).map((call, key) => ({ ...call, key })),
  );
  const change = (key: number, part: Partial<DraftCall>) =>
    setCalls(calls.map((call) => (call.key === key ? { ...call, ...part } : call)));
  const add = (name: string) =>
    setCalls([
      ...calls,
      {
        key: Math.max(-1, ...calls.map(({ key }) => key)) + 1,
        name,
        arguments: sketchOf(tools.find((tool) => tool.name === name)?.parameters),
      },
    ]);
  return (
    <form
      className={styles.form}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ text, toolCalls: calls.map(callOf) });
      }}
    >
      <h3>{title}</h3>
      <label>
        <span>Text</span>
        <textarea rows={3} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </label>
      {calls.map((call, index) => {
        const fault = faultIn(call.arguments);
        return (
          <fieldset key={call.key}>
            <legend>
              Call {index}: <code>{call.name}</code>
              <Button kind="quiet" onClick={() => setCalls(calls.filter(({ key }) => key !== call.key))}>
                Remove
              </Button>
            </legend>
            <textarea
              rows={Math.min(8, call.arguments.split('\n').length + 1)}
              aria-label={`Arguments of call ${index}`}
              aria-invalid={fault !== undefined}
              spellCheck={false}
              value={call.arguments}
              onChange={(event) => change(call.key, { arguments: event.currentTarget.value })}
            />
            {fault === undefined ? null : (
              <p className={styles.fault}>{fault} It is sent as it stands: models do that too.</p>
            )}
          </fieldset>
        );
      })}
      <div className={styles.formEnd}>
        <select
          aria-label="Add a call"
          value=""
          onChange={(event) => {
            if (event.currentTarget.value !== '') add(event.currentTarget.value);
          }}
        >
          <option value="">Add a call …</option>
          {tools.map(({ name, description }) => (
            <option key={name} value={name} title={description}>
              {name}
            </option>
          ))}
        </select>
        <span className={styles.formButtons}>
          {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
          <Button kind="primary" type="submit">
            {submit}
          </Button>
        </span>
      </div>
    </form>
  );
}

function callOf({ callId, name, arguments: args }: DraftCall): EmittedCall {
  return { ...(callId === undefined ? {} : { callId }), name, arguments: args };
}

function faultIn(text: string): string | undefined {
  try {
    return isObject(JSON.parse(text)) ? undefined : 'Arguments are an object.';
  } catch {
    return 'This is no JSON.';
  }
}

const empty: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
};

/** Arguments with a place for everything that the schema asks for: `{ "count": 0 }`. */
function sketchOf(schema: unknown): string {
  const properties = at(schema, 'properties');
  const required = arrayAt(schema, 'required') ?? [];
  const entries = isObject(properties) ? Object.entries(properties) : [];
  const asked = entries.filter(([name]) => required.includes(name));
  return JSON.stringify(
    Object.fromEntries(
      asked.map(([name, property]) => [name, empty[stringAt(property, 'type') ?? ''] ?? null]),
    ),
    null,
    2,
  );
}
