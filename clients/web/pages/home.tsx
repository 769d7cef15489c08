import type { ComponentChildren } from 'preact';
import { unwrap } from '../../typescript/index.ts';
import { count, percent } from '../format.ts';
import { HUB } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Split } from '../parts/plots.tsx';
import { Account, Money, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import type { Earnings, Stats } from '../types.ts';

const EVERY_MS = 30_000;
const RECENT = 5;

export function Home() {
  const session = useSession();
  const figures = useLoad(
    'home',
    async (signal) => {
      const [stats, earnings] = await Promise.all([
        reader.GET('/api/v1/stats', { signal }),
        reader.GET('/api/v1/earnings', { signal }),
      ]);
      return { stats: unwrap(stats), earnings: unwrap(earnings) };
    },
    EVERY_MS,
  );
  return (
    <>
      <div class="hero">
        <h1>{T.home.title}</h1>
        {T.home.lead.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p class="actions">
          <a class="button main" href={pathTo('account')}>
            {session.state === 'open' ? T.home.yours : T.home.start}
          </a>
          <a class="button" href={pathTo('work')}>
            {T.home.seeWork}
          </a>
        </p>
      </div>
      <With of={figures}>{(value) => <Figures {...value} />}</With>
      <Section title={T.home.terminal} lead={T.home.terminalLead}>
        <Copyable label={T.home.terminal} text={T.home.lines(HUB)} />
        <p class="quiet">{T.home.terminalNote}</p>
      </Section>
    </>
  );
}

function Figures({ stats, earnings }: { readonly stats: Stats; readonly earnings: Earnings }) {
  const { exchange, index } = stats;
  const { network, totals, recent } = earnings;
  const week = totals.find(({ window }) => window === '7d');
  return (
    <>
      <ul class="tiles" aria-label={T.home.figures}>
        <Tile label={T.home.tasksOpen}>{count(exchange.tasksOpen)}</Tile>
        <Tile label={T.home.paidWeek}>
          <Money units={week?.paidNet ?? '0'} network={network} />
        </Tile>
        <Tile label={T.home.fillRate}>
          {week?.fillRate === undefined ? T.home.notYet : percent(week.fillRate)}
        </Tile>
        <Tile label={T.home.accounts}>{count(exchange.accounts)}</Tile>
        <Tile label={T.home.agents}>{count(index.listings)}</Tile>
        <Tile label={T.home.calls}>{count(exchange.calls24h)}</Tile>
      </ul>
      <Section title={T.home.recent} lead={earnings.backingNote}>
        {recent.length === 0 ? (
          <Empty>
            {T.home.noPayouts} <a href={pathTo('work')}>{T.home.beFirst}</a>
          </Empty>
        ) : (
          <ul class="rows">
            {recent.slice(0, RECENT).map((payout) => (
              <li key={payout.transferId}>
                <Money units={payout.net} network={network} /> → <Account name={payout.to} />{' '}
                <span class="quiet">
                  <Time at={payout.at} />
                </span>
                {payout.title !== undefined && <Stranger text={payout.title} />}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {index.listings > 0 && <Index index={index} />}
    </>
  );
}

function Index({ index: { availability, listings } }: Pick<Stats, 'index'>) {
  const parts = Object.entries(availability).map(([name, value]) => ({
    label: T.states[name] ?? name,
    share: (value * 100) / listings,
    text: count(value),
  }));
  return (
    <Section title={T.home.index} lead={T.home.indexLead}>
      <Split title={T.home.index} parts={parts} />
    </Section>
  );
}

function Tile({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <li>
      <b>{children}</b>
      <span>{label}</span>
    </li>
  );
}
