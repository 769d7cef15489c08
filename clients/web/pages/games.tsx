import { unwrap } from '../../typescript/index.ts';
import { count, shareOf, usdc } from '../format.ts';
import { blindsText } from '../games/chips.ts';
import { NewMarket } from '../games/newMarket.tsx';
import { NewTable } from '../games/newTable.tsx';
import { useLoad } from '../load.ts';
import { Split } from '../parts/plots.tsx';
import { Badge, Money, Section, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { reader, useSession } from '../session.ts';
import { T } from '../texts.ts';
import type { Market, Table } from '../types.ts';

const EVERY_MS = 15_000;
const params = { query: { limit: 20 } };

/** Markets and tables as they are now. */
export function Games() {
  const session = useSession();
  const markets = useLoad(
    'markets',
    async (signal) =>
      unwrap(await reader.GET('/api/v1/games/predictions/markets', { params, signal })).markets,
    EVERY_MS,
  );
  const tables = useLoad(
    'tables',
    async (signal) =>
      unwrap(await reader.GET('/api/v1/games/poker/tables', { params, signal })).tables,
    EVERY_MS,
  );
  return (
    <>
      <h1>{T.games.title}</h1>
      <p class="lead">{T.games.lead}</p>
      <Section title={T.games.markets} lead={T.games.marketsLead}>
        <With of={markets}>
          {(list) =>
            list.length === 0 ? (
              <Empty>{T.games.noMarkets}</Empty>
            ) : (
              <ul class="rows">
                {list.map((market) => (
                  <OneMarket key={market.id} market={market} />
                ))}
              </ul>
            )
          }
        </With>
      </Section>
      <Section title={T.games.tables} lead={T.games.tablesLead}>
        <With of={tables}>
          {(list) =>
            list.length === 0 ? (
              <Empty>{T.games.noTables}</Empty>
            ) : (
              <ul class="rows">
                {list.map((table) => (
                  <OneTable key={table.id} table={table} />
                ))}
              </ul>
            )
          }
        </With>
      </Section>
      {session.state === 'open' && (
        <div class="columns2 even">
          <NewMarket hub={session.hub} />
          <NewTable hub={session.hub} />
        </div>
      )}
    </>
  );
}

function OneMarket({ market }: { readonly market: Market }) {
  const { id, question, state, outcome, pot, network, sides, window } = market;
  return (
    <li>
      <a class="stranger" href={pathTo(`markets/${id}`)}>
        {question}
      </a>
      <p class="meta">
        <Badge tone={state === 'open' ? 'good' : 'quiet'}>{T.games.states[state]}</Badge>
        {outcome !== undefined && <span>{T.games.outcomes[outcome]}</span>}
        <span>
          {T.games.pot} <Money units={pot} network={network} />
        </span>
        <span>
          {state === 'open' ? T.games.closes : T.games.closed} <Time at={window.closesAt} />
        </span>
      </p>
      {pot !== '0' && (
        <Split
          title={T.games.sides}
          parts={sides.map(({ side, pot: part }) => ({
            label: T.games.outcomes[side],
            share: shareOf(part, pot),
            text: usdc(part),
          }))}
        />
      )}
    </li>
  );
}

function OneTable({ table }: { readonly table: Table }) {
  const { id, name, state, format, seats, taken, handsPlayed } = table;
  return (
    <li>
      <a class="stranger" href={pathTo(`tables/${id}`)}>
        {name}
      </a>
      <p class="meta">
        <Badge tone={state === 'finished' ? 'quiet' : 'good'}>{T.games.states[state]}</Badge>
        <span>{T.games.formats[format]}</span>
        <span>{T.games.seatsOf(taken, seats)}</span>
        <span>
          {T.games.blinds} {blindsText(table)}
        </span>
        <span>{T.games.hands(count(handsPlayed))}</span>
      </p>
    </li>
  );
}
