import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import styles from './controls.module.css';

interface SegmentedProps<T extends string> {
  name: string;
  value: T;
  options: readonly { value: T; label: string; hint?: string }[];
  onChange: (value: T) => void;
}

/** One of a few, side by side. A radio group to keyboards and screen readers. */
export function Segmented<T extends string>({ name, value, options, onChange }: SegmentedProps<T>) {
  return (
    <RadioGroup<T>
      aria-label={name}
      className={styles.segmented ?? ''}
      value={value}
      onValueChange={onChange}
    >
      {options.map((option) => (
        <Radio.Root<T>
          key={option.value}
          value={option.value}
          title={option.hint}
          className={styles.segment ?? ''}
          aria-label={option.label}
        >
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
