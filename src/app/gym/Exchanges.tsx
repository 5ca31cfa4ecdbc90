import type { Environment, Exchange, ExchangeResponse } from '../../gym';
import { Button, join } from '../controls/Button';
import { Name, PlainText } from '../markdown';
import { copy } from '../stores/toasts';
import { curlLine } from './curl';
import { jarFor, portUrl } from './port';
import { instanceIn, sessionIdIn } from './send';
import styles from './gym.module.css';

export function StatusBadge({ response }: { response: ExchangeResponse }) {
  const words = response.status === 0 ? 'no answer' : String(response.status);
  return <span className={join(styles.status, response.ok ? styles.good : styles.bad)}>{words}</span>;
}

const MOST_TEXT = 20_000;

export function AnswerBody({ response }: { response: ExchangeResponse }) {
  const text =
    'error' in response
      ? response.error
      : response.json === undefined
        ? response.text
        : JSON.stringify(response.json, null, 2);
  return (
    <pre className={styles.body}>
      <PlainText text={text.slice(0, MOST_TEXT)} />
      {text.length > MOST_TEXT ? `\n… ${text.length - MOST_TEXT} more characters` : ''}
    </pre>
  );
}

interface ExchangesProps {
  environment: Environment;
  exchanges: readonly Exchange[];
  /** Index of one to point at. */
  marked?: number | undefined;
  /** They were with a server that curl reaches as well. */
  real?: boolean;
}

/** Requests and answers in order, each to be opened. */
export function Exchanges({ environment, exchanges, marked, real = false }: ExchangesProps) {
  return (
    <ol className={styles.exchanges}>
      {exchanges.map((exchange, index) => (
        // Two clients of one check both count their exchanges from 0.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className={index === marked ? styles.marked : undefined}>
          <details open={index === marked}>
            <summary>
              <StatusBadge response={exchange.response} />
              <code>
                {exchange.request.method} {exchange.request.path}
              </code>
              <span className={styles.gist}>
                <Name text={gistOf(exchange)} />
              </span>
              {index === marked ? <b className={styles.first}>first difference</b> : null}
            </summary>
            <ExchangeDetail line={lineOf(exchange, environment, real)} exchange={exchange} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function ExchangeDetail({ line, exchange }: { line: string; exchange: Exchange }) {
  const { request, response } = exchange;
  const instance = 'headers' in response ? instanceIn(response.headers) : undefined;
  const facts: [string, string][] = [
    ['took', `${exchange.ms.toFixed(1)} ms`],
    ...(instance === undefined ? [] : [['instance', String(instance)] satisfies [string, string]]),
    ['cookie', request.cookie === '' ? 'none' : request.cookie],
    ...('setCookie' in response
      ? response.setCookie.map((cookie): [string, string] => ['set-cookie', cookie])
      : []),
  ];
  return (
    <div className={styles.detail}>
      {request.body === undefined ? null : (
        <>
          <h4>Request</h4>
          <pre className={styles.body}>
            <PlainText text={JSON.stringify(request.body, null, 2).slice(0, MOST_TEXT)} />
          </pre>
        </>
      )}
      <h4>Answer</h4>
      <AnswerBody response={response} />
      <dl className={styles.headers}>
        {facts.map(([name, value]) => (
          <div key={`${name} ${value}`}>
            <dt>{name}</dt>
            <dd>
              <Name text={value} most={MOST_TEXT} />
            </dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => void copy(line, 'curl')}>Copy as curl</Button>
    </div>
  );
}

function lineOf({ request, response }: Exchange, environment: Environment, real: boolean): string {
  const { method, headers, cookie } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  if (real) return curlLine({ method, url: request.url, headers, cookie, body });
  const given = 'setCookie' in response ? response.setCookie.join('; ') : '';
  const session = sessionIdIn(cookie, environment) ?? sessionIdIn(given, environment) ?? 'session';
  return curlLine({
    method,
    url: portUrl(environment.name, request.path),
    headers,
    cookie,
    jar: jarFor(environment, session.slice(0, 8)),
    body,
  });
}

/** `{"count":2} → {"success":true}` */
function gistOf({ request, response }: Exchange): string {
  const asked = request.body === undefined ? '' : short(JSON.stringify(request.body));
  const got = 'error' in response ? response.error : short(response.text);
  return `${asked} → ${got}`;
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
