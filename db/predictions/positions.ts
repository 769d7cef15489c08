import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { defined } from '../../domain/defined.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { SIDES, type Market, type Pots, type Position } from '../../domain/predictions/model.ts';
import type { Atomic } from '../../domain/money.ts';
import { IN_LIST } from '../inList.ts';
import { STAYS } from '../batch/personal.ts';
import * as column from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import { rows } from '../batch/rows.ts';
import { shaped, table, type RowIn } from '../batch/table.ts';
import { COMMITMENTS, TRANSFERS } from '../ledger/ledgerTables.ts';
import { account, one } from '../columns.ts';
import type { Decider } from '../batch/transaction.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { MARKETS } from './markets.ts';

/** The tables of bets and of what they add up to. */
export interface StoredPosition {
  readonly position: Position;
  readonly firstBetAt: Instant;
  /** The commitment that holds each side's stake; absent without one. */
  readonly holds: { readonly yes?: CommitmentId; readonly no?: CommitmentId };
  /** The amount returned; absent until the market is settled. */
  readonly returned?: Atomic;
}

/** The stakes of an account in a market; the market is locked before. */
export const POSITIONS = shaped(
  table(
    'market_positions',
    {
      marketId: column.text().key(),
      account: column.account().key(),
      place: column.integer().fixed(),
      yes: column.amount().guard(),
      no: column.amount().guard(),
      yesHold: column.text<CommitmentId>().optional(),
      noHold: column.text<CommitmentId>().optional(),
      firstBetAt: column.moment().fixed(),
      returned: column.amount().optional(),
    },
    {
      personal: { owner: 'account', order: ['market_id'], stays: STAYS.parties },
      lock: 'none',
      under: [MARKETS],
      after: [COMMITMENTS],
    },
  ),
  {
    of: ({ marketId, account, place, yes, no, yesHold, noHold, ...row }) => ({
      ...row,
      marketId,
      position: { account, place, yes, no },
      holds: defined({ yes: yesHold, no: noHold }),
    }),
    flat: ({ position, holds, ...row }: StoredPosition & { readonly marketId: string }) => ({
      ...row,
      ...position,
      ...defined({ yesHold: holds.yes, noHold: holds.no }),
    }),
  },
);

const ALL = statement('SELECT * FROM market_positions WHERE market_id = ? ORDER BY place');

/** All positions of a market, by their first bets; at most 2000. */
export async function positionsIn(
  db: Reader,
  marketId: string,
): Promise<readonly StoredPosition[]> {
  return (await linkOf(db).rows(ALL, [marketId])).map(POSITIONS.fromRow);
}

/** Rows name their market, so that SQLite reads each position by key and not the whole list. */
const RETURNED = statement(
  `UPDATE market_positions SET returned = g.value ->> 2 FROM json_each(?) AS g
    WHERE market_id = g.value ->> 0 AND account = g.value ->> 1`,
  `UPDATE market_positions p SET returned = (g.value->>2)::bigint
    FROM json_array_elements(?::json) AS g(value)
    WHERE p.market_id = g.value->>0 AND p.account = g.value->>1`,
);

export async function saveReturned(
  tx: Writer,
  marketId: string,
  returned: readonly (readonly [Account, Atomic])[],
): Promise<void> {
  if (returned.length === 0) return;
  const rows = returned.map(([account, amount]) => `["${marketId}","${account}",${amount}]`);
  await linkOf(tx).rows(RETURNED, [`[${rows.join(',')}]`]);
}

/** Each bet, with the version and the pots of the market after it. */
export const BETS = shaped(
  table(
    'market_bets',
    {
      marketId: column.text().key(),
      version: column.integer().key(),
      id: column.text().fixed(),
      account: column.account().fixed(),
      side: column.oneOf(SIDES).fixed(),
      amount: column.amount().fixed(),
      yesPot: column.amount().fixed(),
      noPot: column.amount().fixed(),
      transferId: column.text().fixed(),
      at: column.moment().fixed(),
    },
    {
      personal: { owner: 'account', stays: STAYS.parties },
      use: 'append',
      under: [MARKETS],
      after: [TRANSFERS],
    },
  ),
  {
    of: ({ yesPot, noPot, ...bet }) => ({ ...bet, pots: { yes: yesPot, no: noPot } }),
    flat: ({ pots, ...bet }) => ({ ...bet, yesPot: pots.yes, noPot: pots.no }),
  },
);
export type StoredBet = RowIn<typeof BETS>;

interface OddsPoint {
  readonly at: Instant;
  readonly pots: Pots;
}
/** Newest bets whose pots are shown. */
const ODDS_MAX = 200;

const points = rows({ at: column.moment(), yesPot: column.amount(), noPot: column.amount() });

/** The pots after the newest bets, newest first, and how many bets there were. */
export const ODDS = lookup('market_odds', {
  by: { marketId: column.text() },
  found: { points: points.column(), bets: column.integer() },
  sql: ({ marketId }, dialect) => ({
    points: points.sql(
      `SELECT at, yes_pot, no_pot FROM market_bets
        WHERE market_id = ${marketId} ORDER BY version DESC LIMIT ${ODDS_MAX}`,
      dialect,
    ),
    bets: `(SELECT count(*) FROM market_bets WHERE market_id = ${marketId})`,
  }),
});

export interface Odds {
  readonly points: readonly OddsPoint[];
  readonly omitted: number;
}

/** The pots after each of the newest bets, oldest first, and how many older bets there were. */
export function oddsOf(db: Decider, marketId: string): Odds {
  const { points: newest = [], bets = 0 } = db.find(ODDS, marketId) ?? {};
  const shown = newest.map(({ at, yesPot, noPot }) => ({ at, pots: { yes: yesPot, no: noPot } }));
  return { points: shown.reverse(), omitted: bets - newest.length };
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
    market: MARKETS.fromRow(row),
    held: POSITIONS.fromRow({ ...row, returned: row['came_back'] }),
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
  const row = one(await linkOf(db).rows(ANY, [marketId, accounts]));
  return row && account(row, 'account');
}
