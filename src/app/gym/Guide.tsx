import styles from './gym.module.css';

/** Read from the top: the first that fits decides. */
const kindOfServer = [
  {
    when: 'Every call is independent, and all it needs is in the request',
    answer: 'Stateless',
    as: 'simple_weather, multi_step',
  },
  { when: 'A call builds on what earlier calls did', answer: 'Stateful', as: 'multi_step_math' },
  { when: 'Verification has to know what was done', answer: 'Stateful', as: 'stateful_counter' },
  {
    when: 'There is something to hold: documents, notes, files, connections',
    answer: 'Stateful',
    as: 'document_qa, per_user_assistant',
  },
];

const storeFor = [
  { when: 'Developing or testing, one server', answer: 'Memory', as: 'nothing to set up' },
  {
    when: 'In a browser, to be kept over reloads and shared by tabs',
    answer: 'IndexedDB',
    as: 'the switch at the right',
  },
  { when: 'In production, one instance, little traffic', answer: 'Memory, watched', as: 'GET /metrics' },
  {
    when: 'In production, several instances, or it must not go down',
    answer: 'Redis',
    as: '--store redis://…',
  },
  {
    when: 'Large state, or needs of its own',
    answer: 'An external service over HTTP',
    as: '--store http://…',
  },
];

/** How to choose: stateless or stateful, and which store. */
export function Guide() {
  return (
    <div className={styles.pair}>
      <Decisions id="guide-kind" title="Stateless or stateful?" rows={kindOfServer} />
      <Decisions id="guide-store" title="Which store?" rows={storeFor} />
    </div>
  );
}

interface DecisionsProps {
  id: string;
  title: string;
  rows: readonly { when: string; answer: string; as: string }[];
}

function Decisions({ id, title, rows }: DecisionsProps) {
  return (
    <section aria-labelledby={id} className={styles.guide}>
      <h3 id={id}>{title}</h3>
      <p className={styles.quiet}>From the top: the first that fits decides.</p>
      <ol>
        {rows.map(({ when, answer, as }) => (
          <li key={when}>
            <span>{when}</span>
            <span>
              → <b>{answer}</b> <i>{as}</i>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
