import { useEffect, useMemo, useRef, useState } from 'react';
import { sessionBreak, type Exchange, type Header } from '../../../model';
import { Button } from '../../controls/Button';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { Notice } from '../../controls/Notice';
import { Segmented } from '../../controls/Segmented';
import { curlLine } from '../../gym/curl';
import { errorText } from '../../../model/error-text';
import { canSendAgain, sendAgain, type Again } from '../../live/reached';
import { Name, PlainText } from '../../markdown';
import { copy } from '../../stores/toasts';
import { counted, formatBytes, formatNumber, oneLine } from '../../words/format';
import { PlaceButton } from '../PlaceButton';
import type { TabProps } from '../tab';
import { exchangeRows, pathOf, readable, type ExchangeRow } from './rows';
import styles from './exchanges.module.css';

type Scope = 'step' | 'all';

/** Every request to the environment's server and what came back. */
export function ExchangesTab({ episode, step, onPlace }: TabProps) {
  const [scope, setScope] = useState<Scope>('all');
  const rows = useMemo(() => exchangeRows(episode.exchanges ?? []), [episode.exchanges]);
  const broken = useMemo(() => sessionBreak(episode.exchanges ?? []), [episode.exchanges]);
  const shown = useMemo(
    () => (scope === 'all' ? rows : rows.filter(({ exchange }) => exchange.step === step)),
    [rows, scope, step],
  );
  const { shown: first, rest, showMore } = useFirst(shown, shown);
  if (rows.length === 0) {
    return (
      <Notice title="No exchanges">
        This source does not keep the requests to the environment. A live run records them, and a replay of
        the episode makes them anew.
      </Notice>
    );
  }
  return (
    <div className={styles.exchanges}>
      <div className={styles.head}>
        <Segmented
          name="Which exchanges"
          value={scope}
          options={[
            { value: 'all', label: 'Whole episode' },
            { value: 'step', label: `Step ${step}` },
          ]}
          onChange={setScope}
        />
        <span>{counted(shown.length, 'exchange')}</span>
      </div>
      {broken === undefined ? null : (
        <div className={styles.broken} role="note">
          <b>The session changed.</b> {broken.reason}{' '}
          <PlaceButton step={rows[broken.exchange]?.exchange.step} onPlace={onPlace} />
        </div>
      )}
      {shown.length === 0 ? (
        <p className={styles.none}>No request was sent at step {step}.</p>
      ) : (
        <ol className={styles.list}>
          {first.map((row) => (
            <Row
              key={row.index}
              row={row}
              isNow={row.exchange.step === step}
              isBreak={row.index === broken?.exchange}
              onPlace={onPlace}
            />
          ))}
        </ol>
      )}
      <More rest={rest} onMore={showMore} />
    </div>
  );
}

interface RowProps {
  row: ExchangeRow;
  isNow: boolean;
  isBreak: boolean;
  onPlace: TabProps['onPlace'];
}

function Row({ row: { exchange, index, switched }, isNow, isBreak, onPlace }: RowProps) {
  const [open, setOpen] = useState(isBreak);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isBreak) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isBreak]);
  const { request, response, error, ms } = exchange;
  return (
    <li ref={item} className={styles.row} data-now={isNow || undefined} data-break={isBreak || undefined}>
      {switched === undefined ? null : (
        <p className={styles.switched}>
          session <code>{shortId(switched.from)}</code> → <code>{shortId(switched.to)}</code>
        </p>
      )}
      <div className={styles.line}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-label={`Exchange ${index}: ${request.method} ${pathOf(request.url)}, ${statusWords(exchange)}`}
          onClick={() => setOpen(!open)}
        >
          <span className={styles.status} data-good={isGood(exchange) || undefined}>
            {response?.status ?? '—'}
          </span>
          <span className={styles.path}>
            <Name text={oneLine(pathOf(request.url), 80)} />
          </span>
          <span className={styles.gist}>{oneLine(response?.body ?? error ?? '', 120)}</span>
          <span className={styles.ms}>{ms === undefined ? '' : `${formatNumber(ms)} ms`}</span>
        </button>
        <PlaceButton step={exchange.step < 0 ? undefined : exchange.step} onPlace={onPlace} />
      </div>
      {open ? <Detail exchange={exchange} /> : null}
    </li>
  );
}

type Sending = 'under way' | Again | { failed: string };

function Detail({ exchange }: { exchange: Exchange }) {
  const [again, setAgain] = useState<Sending>();
  const send = async () => {
    setAgain('under way');
    setAgain(await sendAgain(exchange).catch((error: unknown) => ({ failed: errorText(error) })));
  };
  const { request, response, error, session, startedAt } = exchange;
  return (
    <div className={styles.detail}>
      <h4>
        Request <code>{request.method}</code>{' '}
        <code>
          <PlainText text={request.url} />
        </code>
      </h4>
      <Headers
        headers={[
          ...request.headers,
          ...(request.cookie === undefined ? [] : [['cookie', request.cookie] as Header]),
        ]}
        none={request.cookie === undefined ? 'no cookie was sent' : undefined}
      />
      {request.body === undefined ? null : <Body text={request.body} name="Request body" />}
      <h4>Response {response === undefined ? 'none' : <code>{response.status}</code>}</h4>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
      {response === undefined ? null : (
        <>
          <Headers
            headers={[
              ...response.setCookies.map((cookie): Header => ['set-cookie', cookie]),
              ...response.headers,
            ]}
          />
          <Body text={response.body} name="Response body" />
        </>
      )}
      <div className={styles.foot}>
        <span>
          {session === undefined ? 'session unknown' : `session ${shortId(session)}`}
          {startedAt === undefined ? '' : ` · ${new Date(startedAt).toLocaleTimeString()}`}
        </span>
        <Button
          onClick={() =>
            void copy(
              curlLine({
                method: request.method,
                url: request.url,
                headers: Object.fromEntries(request.headers),
                cookie: request.cookie ?? '',
                body: request.body,
              }),
              'curl',
            )
          }
        >
          Copy as curl
        </Button>
        {canSendAgain(exchange) ? (
          <Button
            title="The same request with the same cookie, once more. The episode stays as it is."
            aria-disabled={again === 'under way' || undefined}
            onClick={again === 'under way' ? undefined : () => void send()}
          >
            Send again
          </Button>
        ) : null}
      </div>
      {again === undefined ? null : <Sent again={again} exchange={exchange} />}
    </div>
  );
}

/** What the request came to this time. */
function Sent({ again, exchange: { request, response } }: { again: Sending; exchange: Exchange }) {
  if (again === 'under way') return <output className={styles.again}>Sending …</output>;
  if ('failed' in again) {
    return (
      <p className={styles.error} role="alert">
        It could not be sent again: {again.failed}
      </p>
    );
  }
  const isSame = again.status === response?.status && again.body === response.body;
  return (
    <div className={styles.again}>
      <output>
        <b>Sent again:</b> {again.status}, {isSame ? 'the same answer' : 'another answer'}, {again.ms} ms.{' '}
        {request.cookie === undefined
          ? 'Without a cookie, so in a session of its own.'
          : 'In the same session, which it may have changed.'}{' '}
        The episode does not record it.
      </output>
      {isSame ? null : <Body text={again.body} name="Response body, sent again" />}
    </div>
  );
}

function Headers({ headers, none }: { headers: readonly Header[]; none?: string | undefined }) {
  return (
    <dl className={styles.headers}>
      {headers.map(([name, value]) => (
        <div key={`${name} ${value}`} data-cookie={name.endsWith('cookie') || undefined}>
          <dt>{name}</dt>
          <dd>
            <PlainText text={value} />
          </dd>
        </div>
      ))}
      {none === undefined ? null : (
        <div data-cookie>
          <dt>cookie</dt>
          <dd className={styles.absent}>{none}</dd>
        </div>
      )}
    </dl>
  );
}

const longest = 20_000;

function Body({ text, name }: { text: string; name: string }) {
  const shown = useMemo(() => readable(text), [text]);
  return (
    // It scrolls, and holds nothing that takes the focus: the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles.body} aria-label={name} tabIndex={0}>
      <PlainText text={shown.slice(0, longest)} />
      {shown.length > longest ? `\n… ${formatBytes(shown.length - longest)} more` : ''}
    </pre>
  );
}

const isGood = ({ response }: Exchange) => response !== undefined && response.status < 400;
const statusWords = ({ response, error }: Exchange) =>
  response === undefined ? `no answer: ${error ?? 'unknown'}` : `status ${response.status}`;
const shortId = (session: string) => oneLine(session, 8);
