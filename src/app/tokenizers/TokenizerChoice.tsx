import { useEffect } from 'react';
import { spelled } from '../markdown';
import { oneLine } from '../words/format';
import {
  bundledName,
  chooseTokenizer,
  forgetTokenizer,
  lookForTokenizers,
  useChosenTokenizer,
  useTokenizers,
} from './choice';
import styles from './tokenizers.module.css';

/** Which tokenizer counts. Others come by being dropped anywhere on the page. */
export function TokenizerChoice() {
  const chosen = useChosenTokenizer();
  const brought = useTokenizers();
  useEffect(lookForTokenizers, []);
  const known = ['none', 'bundled', ...brought.map(({ id }) => id)];
  const own = brought.find(({ id }) => id === chosen);
  return (
    <select
      className={styles.choice}
      aria-label="Tokenizer"
      title="Which tokenizer counts. Drop a tokenizer.json to add one, with its tokenizer_config.json for the chat template."
      value={known.includes(chosen) ? chosen : 'none'}
      onChange={({ target }) => {
        if (target.value === 'forget') forgetTokenizer(chosen);
        else chooseTokenizer(target.value);
      }}
    >
      <option value="none">estimated</option>
      <option value="bundled">by {bundledName} (bundled)</option>
      {brought.map(({ id, name, hasTemplate }) => (
        <option key={id} value={id}>
          by {spelled(oneLine(name, 40))}
          {hasTemplate ? ' with its template' : ''}
        </option>
      ))}
      {own === undefined ? (
        <option disabled>drop a tokenizer.json to add one</option>
      ) : (
        <option value="forget">forget {spelled(oneLine(own.name, 40))}</option>
      )}
    </select>
  );
}
