import { unwrap } from '../../typescript/refusal.ts';
import { SubmitAgent } from '../listing/submit.tsx';
import { BooksLine } from '../home/books.tsx';
import { ForAgents } from '../home/forAgents.tsx';
import { Payouts } from '../home/payouts.tsx';
import { PaidOverTime } from '../home/series.tsx';
import { Ticker } from '../home/ticker.tsx';
import { Ways } from '../home/ways.tsx';
import { count, percent } from '../format.ts';
import { useLoad } from '../load.ts';
import { Money, Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { homeTexts as H } from '../texts/home.ts';
import type { Earnings, Stats } from '../types.ts';

const EVERY_MS = 30_000;

export function Home() {
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
        <h1>{H.title}</h1>
        <p>{H.lead}</p>
      </div>
      <Ticker />
      <Ways />
      <div class="columns2 even">
        <ForAgents />
        <Section title={H.ways.sell.title} lead={H.ways.sell.lead}>
          <SubmitAgent isShort />
        </Section>
      </div>
      <With of={figures}>{(value) => <Figures {...value} />}</With>
    </>
  );
}

function Figures({ stats, earnings }: { readonly stats: Stats; readonly earnings: Earnings }) {
  const { exchange, index } = stats;
  const { network, totals } = earnings;
  const week = totals.find(({ window }) => window === '7d');
  const tiles = [
    [T.tasksOpen, count(exchange.tasksOpen)],
    [H.paidWeek, <Money key="paid" units={week?.paidNet ?? '0'} network={network} />],
    [H.fillRate, week?.fillRate === undefined ? H.notYet : percent(week.fillRate)],
    [H.accounts, count(exchange.accounts)],
    [H.agents, count(index.listings)],
    [H.calls, count(exchange.calls24h)],
  ] as const;
  return (
    <>
      <ul class="tiles" aria-label={H.figures}>
        {tiles.map(([label, value]) => (
          <li key={label}>
            <b>{value}</b>
            <span>{label}</span>
          </li>
        ))}
      </ul>
      <PaidOverTime network={network} />
      <div class="columns2">
        <Payouts earnings={earnings} />
        <BooksLine backing={earnings.backingNote} />
      </div>
    </>
  );
}
