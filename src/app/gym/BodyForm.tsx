import { useId } from 'react';
import type { Field, Filled } from './form';
import styles from './gym.module.css';

interface BodyFormProps {
  fields: readonly Field[];
  filled: Filled;
  problems: ReadonlyMap<string, string>;
  onChange: (filled: Filled) => void;
}

/** A body as fields, made from its schema. */
export function BodyForm({ fields, filled, problems, onChange }: BodyFormProps) {
  const id = useId();
  if (fields.length === 0) return <p className={styles.quiet}>This takes nothing: the body is {'{}'}.</p>;
  return (
    <div className={styles.fields}>
      {fields.map((field) => {
        const own = `${id}-${field.name}`;
        const problem = problems.get(field.name);
        return (
          <div key={field.name} className={styles.field}>
            <label htmlFor={own}>
              <code>{field.name}</code>
              {field.required ? '' : ' (optional)'}
            </label>
            <Input
              id={own}
              field={field}
              describedBy={`${own}-about`}
              invalid={problem !== undefined}
              value={filled.get(field.name) ?? ''}
              onChange={(text) => onChange(new Map(filled).set(field.name, text))}
            />
            <p id={`${own}-about`} className={problem === undefined ? styles.quiet : styles.problem}>
              {problem ?? field.description ?? ABOUT[field.kind]}
            </p>
          </div>
        );
      })}
    </div>
  );
}

const ABOUT: Record<Field['kind'], string> = {
  text: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  choice: 'One of these',
  json: 'JSON',
};

interface InputProps {
  id: string;
  field: Field;
  value: string;
  describedBy: string;
  invalid: boolean;
  onChange: (text: string) => void;
}

function Input({ id, field, value, describedBy, invalid, onChange }: InputProps) {
  const common = { id, 'aria-describedby': describedBy, 'aria-invalid': invalid };
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const options = field.kind === 'choice' ? field.options : ['true', 'false'];
    return (
      <select {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">(left out)</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  if (field.kind === 'json' || value.length > 80) {
    return (
      <textarea
        {...common}
        className={styles.mono}
        rows={value.length > 200 ? 6 : 2}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      className={styles.mono}
      inputMode={field.kind === 'text' ? 'text' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
