import { unwrap } from '../../typescript/refusal.ts';
import { count, milliseconds, span } from '../format.ts';
import { useLoad, type Loaded } from '../load.ts';
import { TroubleText } from '../parts/connection.tsx';
import { Badge, Facts, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { useHubState } from '../state/hubState.ts';
import { troublesOf } from '../state/watch.ts';
import { trustTexts } from '../texts/trustPage.ts';
import { newestPulses } from '../trust/pulses.tsx';
import type { Networks, Pulse, SignedTime, Stats } from '../types.ts';

const EVERY_MS = 15_000;
const PULSES = 15;
const PULSES_EVERY_MS = 60_000;

export function Status() {
  const time = useLoad(
    'time',
    async (signal) => {
      const asked = Date.now();
      const signed = unwrap(await reader.GET('/api/v1/time', { signal }));
      const answered = Date.now();
      return { signed, tookMs: answered - asked, seenAt: (asked + answered) / 2 };
    },
    EVERY_MS,
  );
  const stats = useLoad(
    'stats',
    async (signal) => unwrap(await reader.GET('/api/v1/stats', { signal })),
    EVERY_MS,
  );
  const economy = useLoad(
    'economy',
    async (signal) => unwrap(await reader.GET('/api/v1/economy', { signal })),
    EVERY_MS,
  );
  const networks = useLoad(
    'networks',
    async (signal) => unwrap(await reader.GET('/api/v1/networks', { signal })),
    EVERY_MS,
  );
  const pulses = useLoad('pulses', (signal) => newestPulses(signal, PULSES), PULSES_EVERY_MS);
  return (
    <>
      <h1>{trustTexts.status.title}</h1>
      <Verdict time={time} />
      <div class="columns2 even">
        <div>
          <Section title={trustTexts.status.hub}>
            <With of={time}>{(value) => <Clock {...value} />}</With>
          </Section>
          <Section title={trustTexts.status.gaps} lead={trustTexts.status.gapsLead(PULSES)}>
            <With of={pulses}>{(list) => <Gaps list={list} />}</With>
          </Section>
        </div>
        <div>
          <Section title={trustTexts.status.jobs} lead={trustTexts.status.jobsLead}>
            <With of={stats}>
              {(value) => (
                <Jobs stats={value} seal={economy.value?.seal?.body.sealedAt} time={time} />
              )}
            </With>
          </Section>
          <Section title={trustTexts.status.crawler}>
            <With of={stats}>{(value) => <Crawler stats={value} />}</With>
          </Section>
        </div>
      </div>
      <Section title={trustTexts.status.networks}>
        <With of={networks}>{(value) => <Chains networks={value} />}</With>
      </Section>
    </>
  );
}

/** The hub in one line; in trouble each part that fails, with since, reason and what still works. */
function Verdict({ time }: { readonly time: Loaded<TimeRead> }) {
  const troubles = troublesOf(useHubState()).filter(({ kind }) => kind !== 'old');
  if (troubles.length > 0) {
    return (
      <>
        {troubles.map((trouble) => (
          <p key={trouble.kind} role="status" class="verdict bad">
            <TroubleText trouble={trouble} />
          </p>
        ))}
      </>
    );
  }
  return (
    <With of={time}>
      {({ signed }) => {
        const isLive = signed.body.chain.state === 'live';
        return (
          <p role="status" class={isLive ? 'verdict good' : 'verdict bad'}>
            <b>{isLive ? trustTexts.status.works : trustTexts.status.fails}</b>
          </p>
        );
      }}
    </With>
  );
}

interface TimeRead {
  readonly signed: SignedTime;
  readonly tookMs: number;
  readonly seenAt: number;
}

function Clock({ signed, tookMs, seenAt }: TimeRead) {
  const { chain, clock, now, unixMs } = signed.body;
  const isLive = chain.state === 'live';
  return (
    <>
      <p>
        <Badge tone={isLive ? 'good' : 'bad'}>
          {isLive ? trustTexts.status.live : trustTexts.status.stalled}
        </Badge>
      </p>
      <Facts
        rows={[
          [trustTexts.status.took, milliseconds(tookMs)],
          [
            trustTexts.status.now,
            <time key="now" dateTime={now}>{`${now.slice(0, 19).replace('T', ' ')} UTC`}</time>,
          ],
          [
            trustTexts.status.skew,
            trustTexts.status.skewOf(Math.round((unixMs - seenAt) / 100) / 10),
          ],
          [
            trustTexts.status.clock,
            trustTexts.status.clockOf(clock.source, clock.synced, milliseconds(clock.errorMs)),
          ],
          [
            trustTexts.status.since,
            chain.since === undefined ? undefined : <Time at={chain.since} />,
          ],
          [trustTexts.status.reason, chain.reason],
        ]}
      />
    </>
  );
}

interface JobsProps {
  readonly stats: Stats;
  readonly seal: string | undefined;
  readonly time: Loaded<TimeRead>;
}

function Jobs({ stats: { crawl }, seal, time }: JobsProps) {
  const minute = time.value?.signed.body.head?.minute;
  const at = (when: string | undefined) =>
    when === undefined ? trustTexts.status.notYet : <Time at={when} />;
  return (
    <Facts
      rows={[
        [trustTexts.status.pulse, at(minute)],
        [trustTexts.status.seal, at(seal)],
        [trustTexts.status.look, at(crawl.lastLookAt)],
      ]}
    />
  );
}

function Crawler({ stats: { crawl, index } }: { readonly stats: Stats }) {
  return (
    <Facts
      rows={[
        [trustTexts.status.listings, count(index.listings)],
        [trustTexts.status.origins, count(index.origins)],
        [trustTexts.status.looks, count(crawl.looks24h)],
        [trustTexts.status.submissions, count(crawl.submissions24h)],
        [trustTexts.status.waiting, count(crawl.waiting)],
        [
          trustTexts.status.age,
          crawl.medianAgeSeconds === 0 ? trustTexts.status.notYet : span(crawl.medianAgeSeconds),
        ],
      ]}
    />
  );
}

function Chains({ networks: { networks } }: { readonly networks: Networks }) {
  return (
    <ul class="rows">
      {networks.map(({ id, what, kind, watched, deposit, withdrawal }) => (
        <li key={id}>
          <p class="meta">
            <strong>{id}</strong>
            <Badge tone={kind === 'real' ? 'good' : 'quiet'}>{trustTexts.status.kinds[kind]}</Badge>
            {kind === 'real' && (
              <Badge tone={watched ? 'good' : 'wait'}>
                {watched ? trustTexts.status.watched : trustTexts.status.unwatched}
              </Badge>
            )}
          </p>
          <p>{what}</p>
          <p class="quiet">
            {trustTexts.status.paths(deposit.available, withdrawal.available)}{' '}
            {(deposit.missing ?? []).length > 0 &&
              trustTexts.status.missing((deposit.missing ?? []).join(', '))}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Gaps({ list }: { readonly list: readonly Pulse[] }) {
  const gaps = list.flatMap(({ body }) =>
    body.gap === null ? [] : [{ seq: body.seq, ...body.gap }],
  );
  if (gaps.length === 0) return <Empty>{trustTexts.status.noGaps}</Empty>;
  return (
    <ul class="rows">
      {gaps.map(({ seq, from, minutes, cause }) => (
        <li key={seq}>
          {trustTexts.trust.gapOf(minutes, cause)} <Time at={from} />
        </li>
      ))}
    </ul>
  );
}
