import type { Exchange, ExchangeResponse } from '../../gym';
import { Button, join } from '../controls/Button';
import { copy } from '../stores/toasts';
import { curlLine } from './curl';
import { instanceIn } from './send';
import styles from './gym.module.css';

/** Where `rollscope gym` puts the environments: what a copied curl line speaks to. */
export function portUrl(environment: string, path: string): string {
  return `http://127.0.0.1:8000/${encodeURIComponent(environment)}${path}`;
}

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
      {text.slice(0, MOST_TEXT)}
      {text.length > MOST_TEXT ? `\n… ${text.length - MOST_TEXT} more characters` : ''}
    </pre>
  );
}

interface ExchangesProps {
  environment: string;
  exchanges: readonly Exchange[];
  /** Index of one to point at. */
  marked?: number | undefined;
}

/** Requests and answers in order, each to be opened. */
export function Exchanges({ environment, exchanges, marked }: ExchangesProps) {
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
              <span className={styles.gist}>{gistOf(exchange)}</span>
              {index === marked ? <b className={styles.first}>first difference</b> : null}
            </summary>
            <ExchangeDetail environment={environment} exchange={exchange} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function ExchangeDetail({ environment, exchange }: { environment: string; exchange: Exchange }) {
  const { request, response } = exchange;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const instance = 'headers' in response ? instanceIn(response.headers) : undefined;
  return (
    <div className={styles.detail}>
      {body === undefined ? null : <pre className={styles.body}>{body.slice(0, MOST_TEXT)}</pre>}
      <AnswerBody response={response} />
      <p className={styles.quiet}>
        {exchange.ms.toFixed(1)} ms{instance === undefined ? '' : ` · instance ${instance}`} · cookie{' '}
        <code>{request.cookie === '' ? 'none' : request.cookie}</code>
        {'setCookie' in response && response.setCookie.length > 0 ? (
          <>
            {' '}
            · set-cookie <code>{response.setCookie.join(', ')}</code>
          </>
        ) : null}
      </p>
      <Button
        onClick={() =>
          void copy(
            curlLine({
              method: request.method,
              url: portUrl(environment, request.path),
              headers: request.headers,
              cookie: request.cookie,
              body,
            }),
            'curl',
          )
        }
      >
        Copy as curl
      </Button>
    </div>
  );
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
