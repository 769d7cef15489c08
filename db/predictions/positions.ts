import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { commitmentId, type CommitmentId } from '../../domain/ledger/transfer.ts';
import type { Market, Pots, Position, Side } from '../../domain/market/model.ts';
import type { Atomic } from '../../domain/money.ts';
import { IN_LIST } from '../inList.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { market } from './markets.ts';

/** The tables of bets and of what they add up to. */
export interface StoredPosition {
  readonly position: Position;
  readonly firstBetAt: Instant;
  /** The commitment that holds each side's stake; absent without one. */
  readonly holds: { readonly yes?: CommitmentId; readonly no?: CommitmentId };
  /** What came back; absent until the market is settled. */
  readonly returned?: Atomic;
}

const ONE = statement('SELECT * FROM market_positions WHERE market_id = ? AND account = ?');
const ALL = statement('SELECT * FROM market_positions WHERE market_id = ? ORDER BY place');

export async function positionOf(
  db: Reader,
  marketId: string,
  account: Account,
): Promise<StoredPosition | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [marketId, account]));
  return row && stored(row);
}

/** All positions of a market, by their first bets; at most 2000. */
export async function positionsIn(
  db: Reader,
  marketId: string,
): Promise<readonly StoredPosition[]> {
  return (await linkOf(db).rows(ALL, [marketId])).map(stored);
}

const SAVE = statement(`
  INSERT INTO market_positions (market_id, account, place, yes, no, yes_hold, no_hold, first_bet_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (market_id, account) DO UPDATE SET yes = excluded.yes, no = excluded.no,
    yes_hold = excluded.yes_hold, no_hold = excluded.no_hold`);

export async function savePosition(
  tx: Writer,
  marketId: string,
  { position, holds, firstBetAt }: StoredPosition,
): Promise<void> {
  await linkOf(tx).rows(SAVE, [
    marketId,
    position.account,
    position.place,
    `${position.yes}`,
    `${position.no}`,
    holds.yes ?? null,
    holds.no ?? null,
    firstBetAt,
  ]);
}

/**
 * The rows name their market, so that SQLite looks each position up by its key; asked for a market
 * apart from them, it reads the whole list again for every position.
 */
const RETURNED = statement(
  `UPDATE market_positions SET returned = g.value ->> 2 FROM json_each(?) AS g
    WHERE market_id = g.value ->> 0 AND account = g.value ->> 1`,
  `UPDATE market_positions p SET returned = (g.value->>2)::bigint
    FROM json_array_elements(?::json) AS g(value)
    WHERE p.market_id = g.value->>0 AND p.account = g.value->>1`,
);

/** What every account got back, in one statement. */
export async function saveReturned(
  tx: Writer,
  marketId: string,
  returned: readonly (readonly [Account, Atomic])[],
): Promise<void> {
  if (returned.length === 0) return;
  const rows = returned.map(([account, amount]) => `["${marketId}","${account}",${amount}]`);
  await linkOf(tx).rows(RETURNED, [`[${rows.join(',')}]`]);
}

export interface StoredBet {
  readonly id: string;
  readonly marketId: string;
  /** Version of the market after it. */
  readonly version: number;
  readonly account: Account;
  readonly side: Side;
  readonly amount: Atomic;
  readonly pots: Pots;
  readonly transferId: string;
  readonly at: Instant;
}

const BET = statement(`
  INSERT INTO market_bets (market_id, version, id, account, side, amount, yes_pot, no_pot,
    transfer_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertBet(tx: Writer, bet: StoredBet): Promise<void> {
  await linkOf(tx).rows(BET, [
    bet.marketId,
    bet.version,
    bet.id,
    bet.account,
    bet.side,
    `${bet.amount}`,
    `${bet.pots.yes}`,
    `${bet.pots.no}`,
    bet.transferId,
    bet.at,
  ]);
}

export interface OddsPoint {
  readonly at: Instant;
  readonly pots: Pots;
}
const ODDS = statement(`SELECT at, yes_pot, no_pot FROM market_bets
  WHERE market_id = ? ORDER BY version DESC LIMIT ?`);
const BETS = statement('SELECT count(*) AS bets FROM market_bets WHERE market_id = ?');

/** The pots after each of the newest bets, oldest first, and how many older bets there were. */
export async function oddsOf(
  db: Reader,
  marketId: string,
  limit: number,
): Promise<{ readonly points: readonly OddsPoint[]; readonly omitted: number }> {
  const rows = await linkOf(db).rows(ODDS, [marketId, limit]);
  const [counted] = await linkOf(db).rows(BETS, [marketId]);
  const bets = counted === undefined ? 0 : Number(column.signed(counted, 'bets'));
  const points = rows.map((row) => ({
    at: column.time(row, 'at'),
    pots: { yes: column.amount(row, 'yes_pot'), no: column.amount(row, 'no_pot') },
  }));
  return { points: points.reverse(), omitted: bets - rows.length };
}

const OF_ACCOUNT = `SELECT p.*, p.returned AS came_back, m.* FROM market_positions p
  JOIN markets m ON m.id = p.market_id WHERE p.account = ?`;
const NEWEST = statement(`${OF_ACCOUNT} ORDER BY p.market_id DESC LIMIT ?`);
const OLDER = statement(`${OF_ACCOUNT} AND p.market_id < ? ORDER BY p.market_id DESC LIMIT ?`);

export interface HeldPosition {
  readonly market: Market;
  readonly held: StoredPosition;
}

/** An account's positions, the newest market first. */
export async function positionsOf(
  db: Reader,
  account: Account,
  before: string | undefined,
  limit: number,
): Promise<readonly HeldPosition[]> {
  const rows =
    before === undefined
      ? await linkOf(db).rows(NEWEST, [account, limit])
      : await linkOf(db).rows(OLDER, [account, before, limit]);
  return rows.map((row) => ({
    market: market(row),
    held: stored({ ...row, returned: row['came_back'] }),
  }));
}

const ANY = statement(
  `SELECT account FROM market_positions WHERE market_id = ? AND account ${IN_LIST.sqlite} LIMIT 1`,
  `SELECT account FROM market_positions WHERE market_id = ? AND account ${IN_LIST.postgres} LIMIT 1`,
);

/** One of the accounts that has a position in the market. */
export async function bettorAmong(
  db: Reader,
  marketId: string,
  accounts: readonly Account[],
): Promise<Account | undefined> {
  const row = column.one(await linkOf(db).rows(ANY, [marketId, accounts]));
  return row && column.account(row, 'account');
}

function stored(row: Row): StoredPosition {
  const [yes, no] = [column.textOrNull(row, 'yes_hold'), column.textOrNull(row, 'no_hold')];
  const returned = column.amountOrNull(row, 'returned');
  return {
    position: {
      account: column.account(row, 'account'),
      yes: column.amount(row, 'yes'),
      no: column.amount(row, 'no'),
      place: column.whole(row, 'place'),
    },
    firstBetAt: column.time(row, 'first_bet_at'),
    holds: {
      ...(yes !== null && { yes: commitmentId(yes) }),
      ...(no !== null && { no: commitmentId(no) }),
    },
    ...(returned !== null && { returned }),
  };
}
