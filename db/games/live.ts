import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/** The running games of each kind: counts, money in play by network, and the largest of them. */
export interface Live {
  readonly open: number;
  readonly running: number;
  readonly players: number;
  readonly atStake: readonly { readonly network: NetworkId; readonly amount: Atomic }[];
  readonly rows: readonly LiveRow[];
}
export interface LiveRow {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly players: number;
  readonly amount: Atomic;
  readonly network: NetworkId;
  readonly closesAt?: Instant;
}

const ROWS_MAX = 10;
const LIVE_MARKETS = `markets WHERE state IN ('open', 'closed')`;
const LIVE_TABLES = `poker_tables WHERE state <> 'finished'`;

interface Texts {
  readonly counts: ReturnType<typeof statement>;
  readonly stakes: ReturnType<typeof statement>;
  readonly rows: ReturnType<typeof statement>;
}
const TEXTS: Readonly<Record<'predictions' | 'poker', Texts>> = {
  predictions: {
    counts: statement(`SELECT coalesce(sum(CASE WHEN state = 'open' THEN 1 ELSE 0 END), 0) AS open,
        coalesce(sum(CASE WHEN state = 'closed' THEN 1 ELSE 0 END), 0) AS running,
        (SELECT count(DISTINCT p.account) FROM market_positions p JOIN markets m
          ON m.id = p.market_id WHERE m.state IN ('open', 'closed')) AS players
      FROM ${LIVE_MARKETS}`),
    stakes: statement(`SELECT network, CAST(sum(yes_pot + no_pot) AS TEXT) AS amount
      FROM ${LIVE_MARKETS} GROUP BY network HAVING sum(yes_pot + no_pot) > 0 ORDER BY network`),
    rows: statement(`SELECT id, question AS title, state, bettors AS players, network,
        CAST(yes_pot + no_pot AS TEXT) AS amount, closes_at
      FROM ${LIVE_MARKETS} ORDER BY yes_pot + no_pot DESC, id DESC LIMIT ${ROWS_MAX}`),
  },
  poker: {
    counts: statement(`SELECT coalesce(sum(CASE WHEN state = 'open' THEN 1 ELSE 0 END), 0) AS open,
        coalesce(sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END), 0) AS running,
        (SELECT count(DISTINCT s.account) FROM poker_seats s JOIN poker_tables t
          ON t.id = s.table_id WHERE t.state <> 'finished' AND s.state <> 'left') AS players
      FROM ${LIVE_TABLES}`),
    stakes: statement(`SELECT network, CAST(sum(money) AS TEXT) AS amount
      FROM ${LIVE_TABLES} GROUP BY network HAVING sum(money) > 0 ORDER BY network`),
    rows: statement(
      `SELECT id, json_extract(body, '$.name') AS title, state, players, network,
        CAST(money AS TEXT) AS amount, NULL AS closes_at
      FROM ${LIVE_TABLES} ORDER BY money DESC, id DESC LIMIT ${ROWS_MAX}`,
      `SELECT id, body::json->>'name' AS title, state, players, network,
        CAST(money AS TEXT) AS amount, NULL AS closes_at
      FROM ${LIVE_TABLES} ORDER BY money DESC, id DESC LIMIT ${ROWS_MAX}`,
    ),
  },
};

export async function liveOf(db: Reader, game: 'predictions' | 'poker'): Promise<Live> {
  const link = linkOf(db);
  const texts = TEXTS[game];
  const counts = column.one(await link.rows(texts.counts, []));
  if (counts === undefined) throw new Error('a count has a row');
  const stakes = await link.rows(texts.stakes, []);
  const rows = await link.rows(texts.rows, []);
  const count = (name: string): number => Number(column.signed(counts, name));
  return {
    open: count('open'),
    running: count('running'),
    players: count('players'),
    atStake: stakes.map((row) => ({ network: network(row), amount: column.amount(row, 'amount') })),
    rows: rows.map(liveRow),
  };
}

function liveRow(row: Row): LiveRow {
  const closesAt = column.timeOrNull(row, 'closes_at');
  return {
    id: column.text(row, 'id'),
    title: column.text(row, 'title'),
    state: column.text(row, 'state'),
    players: column.whole(row, 'players'),
    amount: column.amount(row, 'amount'),
    network: network(row),
    ...(closesAt !== null && { closesAt }),
  };
}

function network(row: Row): NetworkId {
  const found = parseNetworkId(column.text(row, 'network'));
  if (found === undefined) throw new Error('a damaged network');
  return found;
}
