import { unwrap } from '../../typescript/refusal.ts';
import { MakeKey } from '../account/makeKey.tsx';
import { count } from '../format.ts';
import { blindsText } from '../games/chips.ts';
import { MarketCard } from '../games/marketCard.tsx';
import { NewMarket } from '../games/newMarket.tsx';
import { NewTable } from '../games/newTable.tsx';
import { Practice } from '../games/practice.tsx';
import { useHouse } from '../house.ts';
import { useLoad } from '../load.ts';
import { Fold } from '../parts/fold.tsx';
import { Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSender } from '../session.ts';
import { moreTexts } from '../texts/more.ts';
import { marketTexts as M } from '../texts/markets.ts';
import { pokerTexts as P } from '../texts/poker.ts';
import type { Market, Table } from '../types.ts';

const EVERY_MS = 15_000;
const LIMIT = 20;

export function Games() {
  const sender = useSender();
  const games = useGames();
  const hasHouse = useHouse();
  return (
    <>
      <h1>{moreTexts.games.title}</h1>
      <p class="lead">{moreTexts.games.lead}</p>
      <With of={games}>
        {({ open, over, tables }) => (
          <>
            <h2>{moreTexts.games.markets}</h2>
            <p class="quiet">{moreTexts.games.marketsLead}</p>
            <Markets list={open} />
            {over.length > 0 && (
              <Fold title={M.settledList}>
                <Markets list={over} />
              </Fold>
            )}
            <Section title={moreTexts.games.tables} lead={moreTexts.games.tablesLead}>
              {hasHouse && sender !== undefined && <Practice hub={sender.hub} />}
              <Tables list={tables.filter(({ state }) => state !== 'finished')} />
            </Section>
            {tables.some(({ state }) => state === 'finished') && (
              <Fold title={P.finishedTables}>
                <Tables list={tables.filter(({ state }) => state === 'finished')} />
              </Fold>
            )}
          </>
        )}
      </With>
      {sender !== undefined ? (
        <div class="columns2 even">
          <NewMarket hub={sender.hub} hasHouse={hasHouse} />
          <NewTable hub={sender.hub} />
        </div>
      ) : (
        <Section title={moreTexts.games.needsKey}>
          <MakeKey />
        </Section>
      )}
    </>
  );
}

function useGames() {
  return useLoad(
    'games',
    async (signal) => {
      const markets = (query: { state?: 'open'; limit: number }) =>
        reader.GET('/api/v1/games/predictions/markets', { params: { query }, signal });
      const query = { limit: LIMIT };
      const [open, newest, tables] = await Promise.all([
        markets({ state: 'open', limit: LIMIT }),
        markets(query),
        reader.GET('/api/v1/games/poker/tables', { params: { query }, signal }),
      ]);
      return {
        open: unwrap(open).markets,
        over: unwrap(newest).markets.filter(({ state }) => state !== 'open'),
        tables: unwrap(tables).tables,
      };
    },
    EVERY_MS,
  );
}

function Markets({ list }: { readonly list: readonly Market[] }) {
  if (list.length === 0) return <Empty>{moreTexts.games.noMarkets}</Empty>;
  return (
    <ul class="markets">
      {list.map((market) => (
        <MarketCard key={market.id} market={market} />
      ))}
    </ul>
  );
}

function Tables({ list }: { readonly list: readonly Table[] }) {
  if (list.length === 0) return <Empty>{moreTexts.games.noTables}</Empty>;
  return (
    <ul class="rows">
      {list.map((table) => (
        <OneTable key={table.id} table={table} />
      ))}
    </ul>
  );
}

function OneTable({ table }: { readonly table: Table }) {
  const { id, name, state, format, seats, taken, handsPlayed } = table;
  return (
    <li>
      <a class="untrusted plain" href={pathTo(`tables/${id}`)}>
        {name}
      </a>
      <p class="meta">
        <StateBadge of="table" state={state} />
        <span>{moreTexts.games.formats[format]}</span>
        <span>{moreTexts.games.seatsOf(taken, seats)}</span>
        <span>
          {moreTexts.games.blinds} {blindsText(table)}
        </span>
        <span>{moreTexts.games.hands(count(handsPlayed))}</span>
      </p>
    </li>
  );
}
