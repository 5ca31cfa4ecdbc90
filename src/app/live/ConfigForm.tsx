import { useState } from 'react';
import { readConfig, writeConfig, type ConfigProblem, type LoopConfig } from '../../agent';
import { Button } from '../controls/Button';
import { TokenizerChoice } from '../tokenizers/TokenizerChoice';
import { Field } from './Field';
import { configOf, setUp, type Setup } from './setup';
import styles from './live.module.css';

type NumberKey = {
  [K in keyof LoopConfig]: LoopConfig[K] extends number | null ? K : never;
}[keyof LoopConfig];

const numbers: readonly { key: NumberKey; label: string; hint: string }[] = [
  { key: 'max_model_length', label: 'max_model_length', hint: 'tokens' },
  { key: 'prompt_length', label: 'prompt_length', hint: 'tokens' },
  { key: 'response_length', label: 'response_length', hint: 'tokens' },
  { key: 'context_length_penalty', label: 'context_length_penalty', hint: 'added to the turn scores' },
  { key: 'max_assistant_turns', label: 'max_assistant_turns', hint: 'empty: no limit' },
  { key: 'max_user_turns', label: 'max_user_turns', hint: 'empty: no limit' },
  { key: 'max_parallel_calls', label: 'max_parallel_calls', hint: 'calls of one turn' },
  { key: 'max_tool_response_length', label: 'max_tool_response_length', hint: 'characters' },
];

/** The loop's configuration, as fields or as the YAML that training reads. */
export function ConfigForm({ setup }: { setup: Setup }) {
  const config = configOf(setup);
  const [yaml, setYaml] = useState<string>();
  const change = (part: Partial<LoopConfig>) => setUp({ config: { ...setup.config, ...part } });
  const changed = Object.keys(setup.config).length;
  return (
    <section aria-labelledby="live-config">
      <h2 id="live-config">
        Loop
        <Button kind="quiet" onClick={() => setYaml(yaml === undefined ? writeConfig(config) : undefined)}>
          {yaml === undefined ? 'as YAML' : 'as fields'}
        </Button>
        {changed === 0 ? null : (
          <Button kind="quiet" onClick={() => setUp({ config: {} })}>
            as the task asks
          </Button>
        )}
      </h2>
      {yaml === undefined ? (
        <div className={styles.fields}>
          <p className={styles.quiet}>
            Tokens <TokenizerChoice />
          </p>
          <label className={styles.check}>
            <input
              type="checkbox"
              checked={config.statelm_enabled}
              onChange={(event) => change({ statelm_enabled: event.currentTarget.checked })}
            />
            <code>statelm_enabled</code>
            <span>the policy can delete from its context</span>
          </label>
          {config.statelm_enabled ? (
            <>
              <Field label="dialect" hint="how contexts are rendered">
                <select
                  value={config.dialect}
                  onChange={(event) =>
                    change({ dialect: event.currentTarget.value === 'inference' ? 'inference' : 'rl' })
                  }
                >
                  <option value="rl">rl</option>
                  <option value="inference">inference</option>
                </select>
              </Field>
              <label className={styles.check}>
                <input
                  type="checkbox"
                  checked={config.delete_assistant_tool_call_only}
                  onChange={(event) =>
                    change({ delete_assistant_tool_call_only: event.currentTarget.checked })
                  }
                />
                <code>delete_assistant_tool_call_only</code>
                <span>a deleted turn keeps its text</span>
              </label>
            </>
          ) : null}
          {numbers.map(({ key, label, hint }) => (
            <Field key={key} label={label} hint={hint}>
              <input
                type="number"
                value={config[key] ?? ''}
                onChange={(event) => {
                  const { value, valueAsNumber } = event.currentTarget;
                  if (value === '' && (key === 'max_assistant_turns' || key === 'max_user_turns'))
                    change({ [key]: null });
                  else if (Number.isFinite(valueAsNumber)) change({ [key]: valueAsNumber });
                }}
              />
            </Field>
          ))}
          <Field label="tool_response_truncate_side" hint="which part of a long result stays">
            <select
              value={config.tool_response_truncate_side}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change({
                  tool_response_truncate_side: value === 'left' || value === 'right' ? value : 'middle',
                });
              }}
            >
              <option value="left">left: the head</option>
              <option value="middle">middle: both ends</option>
              <option value="right">right: the tail</option>
            </select>
          </Field>
        </div>
      ) : (
        <YamlForm text={yaml} onText={setYaml} onDone={() => setYaml(undefined)} />
      )}
    </section>
  );
}

interface YamlFormProps {
  text: string;
  onText: (text: string) => void;
  onDone: () => void;
}

function YamlForm({ text, onText, onDone }: YamlFormProps) {
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([]);
  const take = async () => {
    const read = await readConfig(text);
    setProblems(read.problems);
    if (read.problems.length > 0) return;
    setUp({ config: read.config });
    onDone();
  };
  return (
    <div className={styles.yaml}>
      <textarea
        aria-label="Configuration as YAML"
        aria-invalid={problems.length > 0}
        rows={18}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          onText(event.currentTarget.value);
          setProblems([]);
        }}
      />
      {problems.map(({ line, path, message }) => (
        <p key={`${line} ${path} ${message}`} className={styles.failed} role="alert">
          {line === undefined ? '' : `Line ${line}: `}
          {message}
        </p>
      ))}
      <Button onClick={() => void take()}>Take these values</Button>
    </div>
  );
}
