import type { EpisodeRef, Partner, Partners } from '../../../ingest/protocol';
import { useFirst } from '../../controls/first';
import { More } from '../../controls/More';
import { ingest } from '../../data/ingest';
import { useLoaded } from '../../data/useLoaded';
import { Name } from '../../markdown';
import { goTo } from '../../place/usePlace';
import { useSources } from '../../stores/sources';
import { Folded } from '../Folded';
import { Section } from './Section';
import styles from './info.module.css';

/** What the other files of a run know of this episode; nothing for episodes whose runs leave a single file. */
export function Joined({ episodeRef }: { episodeRef: EpisodeRef }) {
  // A source that is opened later may hold what is missing now.
  const opened = useSources(({ list }) =>
    list.map(({ opening, phase }) => (phase === 'reading' ? '' : opening)).join(' '),
  );
  const { value } = useLoaded(JSON.stringify([episodeRef, opened]), () => ingest().partners(episodeRef), {
    keepLast: true,
  });
  return value === undefined ? null : <JoinedFiles partners={value} />;
}

export function JoinedFiles({ partners: { found, more, missing } }: { partners: Partners }) {
  return (
    <Section title="Joined files">
      {found.map((partner) => (
        <PartnerView key={`${partner.role} ${partner.ref.source} ${partner.ref.episode}`} partner={partner} />
      ))}
      {more === 0 ? null : <p className={styles.absent}>and {more} more</p>}
      {missing.length === 0 ? null : (
        <ul className={styles.reasons}>
          {missing.map((sentence) => (
            <li key={sentence} className={styles.absent}>
              <Name text={sentence} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const roleNames: Record<Partner['role'], string> = {
  rollout: 'Rollout',
  failure: 'Failed attempt',
  input: 'Task input',
  profile: 'Reward profile',
  aggregate: 'Statistics of the task',
  agent: 'Statistics of the agent',
  capture: 'Captured model calls',
  earlier: 'Goes on from',
  later: 'Goes on in',
  summary: 'How the context was summed up',
  run: 'Summed up the context of',
};

const joinedBy: Record<Partner['by'], string> = {
  index: 'the same task and rollout index',
  input: 'the same request',
  beginning: 'a request that begins the same',
  agent: 'the same agent',
  'rollout id': 'the same rollout id',
  name: 'their names',
};

const few = 8;

function PartnerView({ partner }: { partner: Partner }) {
  const { role, ref, title, source, by, differs, facts } = partner;
  const { shown, rest, showMore } = useFirst(facts, partner, few);
  return (
    <div className={styles.partner}>
      <p>
        {roleNames[role]}{' '}
        <button
          type="button"
          className={styles.partnerLink}
          title={`Joined by ${joinedBy[by]}`}
          onClick={() => goTo({ source: ref.source, episode: ref.episode, step: 0 })}
        >
          <Name text={`${title} in ${source}`} />
        </button>
      </p>
      {differs ? (
        <p className={styles.absent}>
          The indices are the same and the requests are not: the two may come from different runs.
        </p>
      ) : null}
      {facts.length === 0 ? null : (
        <dl className={styles.metrics}>
          {shown.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <Name text={name} />
              </dt>
              <dd>
                <Folded text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <More rest={rest} onMore={showMore} />
    </div>
  );
}
