import { jsonSchema, type Environment } from '../../gym';
import { endpointsOf } from './endpoints';
import { fieldsOf } from './form';
import styles from './gym.module.css';

/** What the environment offers: its tools, their parameters, and what a seed and a verify request hold. */
export function Tools({ environment }: { environment: Environment }) {
  const endpoints = endpointsOf(environment).filter(({ method }) => method === 'POST');
  return (
    <div className={styles.padded}>
      {endpoints.map(({ name, description, schema = {}, group }) => {
        const fields = fieldsOf(schema);
        const result = environment.tools.get(name)?.result;
        return (
          <section key={name} className={styles.tool} aria-labelledby={`tool-${name}`}>
            <h3 id={`tool-${name}`}>
              <code>{name}</code>{' '}
              {group === 'Tools' ? null : <span className={styles.tag}>every server</span>}
            </h3>
            <p>{description}</p>
            {fields.length === 0 ? (
              <p className={styles.quiet}>Takes nothing.</p>
            ) : (
              <dl className={styles.parameters}>
                {fields.map((field) => (
                  <div key={field.name}>
                    <dt>
                      <code>{field.name}</code>
                    </dt>
                    <dd>
                      <i>
                        {field.kind === 'choice' ? field.options.join(' | ') : field.kind}
                        {field.required ? '' : ', optional'}
                      </i>{' '}
                      {field.description}
                    </dd>
                  </div>
                ))}
              </dl>
            )}
            <details className={styles.schema}>
              <summary>JSON Schema of {name}</summary>
              <pre>{JSON.stringify(schema, null, 2)}</pre>
              {result === undefined ? null : (
                <>
                  <p>of the answer</p>
                  <pre>{JSON.stringify(jsonSchema(result), null, 2)}</pre>
                </>
              )}
            </details>
          </section>
        );
      })}
      {environment.loopTools.length === 0 ? null : (
        <section className={styles.tool} aria-labelledby="loop-tools">
          <h3 id="loop-tools">In the agent loop</h3>
          <p>These need the context and are run by the agent loop, not by the server.</p>
          <dl className={styles.parameters}>
            {environment.loopTools.map(({ name, description }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}
