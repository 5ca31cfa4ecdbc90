import type { Environment } from '../../gym';
import { Notice } from '../controls/Notice';
import { Name } from '../markdown';
import { changesBetween, type Change } from './changes';
import { AnswerBody, StatusBadge } from './Exchanges';
import type { Sent } from './send';
import styles from './gym.module.css';

interface ResponseProps {
  sent: Sent | undefined;
  environment: Environment;
  instances: number;
}

/** What came back, and what it did to the session. */
export function Response({ sent, environment, instances }: ResponseProps) {
  return (
    // It scrolls, and holds nothing that takes the focus: the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section key={sent?.exchange.startedAt} className={styles.response} aria-label="Response" tabIndex={0}>
      {sent === undefined ? (
        <Notice title="Nothing sent yet">
          {environment.stateful
            ? 'Seed a session, call a tool, verify: the answers stand here, with what they did to the session’s state.'
            : 'Call a tool: the answer stands here. This environment keeps no state.'}
        </Notice>
      ) : (
        <>
          <output className={styles.answer}>
            <StatusBadge response={sent.exchange.response} />
            <span>{sent.exchange.ms.toFixed(1)} ms</span>
            {sent.instance === undefined ? null : (
              <span className={instances > 1 ? styles.instance : styles.tag}>instance {sent.instance}</span>
            )}
            {sent.sessionId === undefined ? null : (
              <span>
                {sent.isNew ? 'new session ' : 'session '}
                <code>
                  <Name text={sent.sessionId} most={8} />
                </code>
              </span>
            )}
          </output>
          <h3>Answer</h3>
          <AnswerBody response={sent.exchange.response} />
          {environment.stateful ? (
            <>
              <h3>State of the session</h3>
              <Changes changes={changesBetween(sent.before, sent.after)} isThere={sent.after !== undefined} />
            </>
          ) : null}
          <h3>Headers</h3>
          <Headers sent={sent} />
        </>
      )}
    </section>
  );
}

const MOST_CHANGES = 50;
/** A cookie can be as long as this, and says nothing when it is cut. */
const MOST_HEADER = 4096;
const signs: Record<Change['kind'], string> = { added: '+', removed: '−', changed: '~' };

function Changes({ changes, isThere }: { changes: readonly Change[]; isThere: boolean }) {
  if (changes.length === 0) {
    return <p className={styles.quiet}>{isThere ? 'As it was before.' : 'It has none.'}</p>;
  }
  return (
    <ul className={styles.changes}>
      {changes.slice(0, MOST_CHANGES).map((change) => (
        <li key={change.path} className={styles[change.kind]}>
          <span aria-hidden="true">{signs[change.kind]}</span>
          <span className="unseen">{change.kind}</span>
          <code>
            <Name text={change.path} />
          </code>
          <span>
            {'before' in change ? (
              <del>
                <Name text={shown(change.before)} />
              </del>
            ) : null}
            {change.kind === 'changed' ? ' → ' : null}
            {'after' in change ? (
              <ins>
                <Name text={shown(change.after)} />
              </ins>
            ) : null}
          </span>
        </li>
      ))}
      {changes.length > MOST_CHANGES ? <li>and {changes.length - MOST_CHANGES} more</li> : null}
    </ul>
  );
}

function Headers({ sent }: { sent: Sent }) {
  const { response } = sent.exchange;
  if (!('headers' in response)) return null;
  const lines = [...response.setCookie.map((cookie) => ['set-cookie', cookie] as const), ...response.headers];
  return (
    <dl className={styles.headers}>
      {lines.map(([name, value]) => (
        <div key={`${name} ${value}`}>
          <dt>{name}</dt>
          <dd>
            <Name text={value} most={MOST_HEADER} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 200 ? `${text.slice(0, 200)} …` : text;
}
