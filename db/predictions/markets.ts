import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { dueAt } from '../../domain/market/change.ts';
import {
  CHECK_OPS,
  MARKET_STATES,
  METRICS,
  VOID_REASONS,
  type Check,
  type Ended,
  type Market,
  type MarketState,
} from '../../domain/market/model.ts';
import type { Instant } from '../../domain/instant.ts';
import { parseNetworkId, type NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Cell, Reader, Row, Writer } from '../connection.ts';

/** The table of prediction markets. A row is locked before the accounts of its bettors. */
const BY_ID = statement('SELECT * FROM markets WHERE id = ?');
const LOCKED = statement(
  'SELECT * FROM markets WHERE id = ?',
  'SELECT * FROM markets WHERE id = ? FOR UPDATE',
);

export async function readMarket(db: Reader, id: string): Promise<Market | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && market(row);
}

export async function lockMarket(tx: Writer, id: string): Promise<Market | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  return row && market(row);
}

const INSERT = statement(`
  INSERT INTO markets (id, question, source, network, creator, metric, op, value, closes_at,
    resolve_by, created_at, state, yes_pot, no_pot, yes_bettors, no_bettors, bettors, version, due_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertMarket(tx: Writer, market: Market): Promise<void> {
  const { check } = market;
  await linkOf(tx).rows(INSERT, [
    market.id,
    market.question,
    market.source,
    market.network,
    market.creator,
    check?.metric ?? null,
    check?.op ?? null,
    check === undefined ? null : `${check.value}`,
    market.closesAt,
    market.resolveBy,
    market.createdAt,
    ...moving(market),
  ]);
}

const UPDATE = statement(`
  UPDATE markets SET state = ?, yes_pot = ?, no_pot = ?, yes_bettors = ?, no_bettors = ?,
    bettors = ?, version = ?, due_at = ?, outcome = ?, void_reason = ?, resolved_by = ?,
    evidence = ?, sample_value = ?, sample_at = ?, sample_pulse = ?, judge_share = ?, won = ?,
    returned = ?, transfer_id = ?, ended_at = ? WHERE id = ?`);

export async function updateMarket(tx: Writer, market: Market): Promise<void> {
  await linkOf(tx).rows(UPDATE, [...moving(market), ...ending(market.ended), market.id]);
}

function moving(market: Market): readonly Cell[] {
  const { state, pots, bettors, version } = market;
  return [
    state,
    `${pots.yes}`,
    `${pots.no}`,
    bettors.yes,
    bettors.no,
    bettors.all,
    version,
    dueAt(market) ?? null,
  ];
}

function ending(ended: Ended | undefined): readonly Cell[] {
  if (ended === undefined) return new Array<null>(12).fill(null);
  const { sample } = ended;
  return [
    ended.outcome,
    ended.voidReason ?? null,
    ended.resolvedBy ?? null,
    ended.evidence ?? null,
    sample === undefined ? null : `${sample.value}`,
    sample?.at ?? null,
    sample?.pulseSeq ?? null,
    `${ended.judgeShare}`,
    `${ended.won}`,
    `${ended.returned}`,
    ended.transferId ?? null,
    ended.at,
  ];
}

export interface MarketFilter {
  readonly state?: MarketState;
  readonly network?: NetworkId;
  readonly before?: string;
}

/** Newest first: ids sort by time of making, so the id is the cursor. */
export async function listMarkets(
  db: Reader,
  { before, ...equal }: MarketFilter,
  limit: number,
): Promise<readonly Market[]> {
  let query = db.knex('markets').select<Row[]>('*').where(equal).orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query).map(market);
}

const DUE = statement('SELECT * FROM markets WHERE due_at <= ? ORDER BY due_at, id LIMIT ?');

/** Markets with which the clock has to do by now, the longest due first. */
export async function dueMarkets(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly Market[]> {
  return (await linkOf(db).rows(DUE, [now, limit])).map(market);
}

const WAITING = `SELECT m.* FROM markets m WHERE m.state = 'closed' AND m.metric IS NULL
  AND (CAST(? AS TEXT) IS NULL OR (m.closes_at, m.id) >
    (SELECT a.closes_at, a.id FROM markets a WHERE a.id = ?))`;
const BUT_OF = `AND m.creator <> ? AND NOT EXISTS (SELECT 1 FROM market_positions p
  WHERE p.market_id = m.id AND p.account = ?)`;
const ORDER = 'ORDER BY m.closes_at, m.id LIMIT ?';
const ALL_WAITING = statement(`${WAITING} ${ORDER}`);
const WAITING_FOR = statement(`${WAITING} ${BUT_OF} ${ORDER}`);

/** Closed markets that wait for a judge, the one that closed first coming first. */
export async function waitingMarkets(
  db: Reader,
  { judge, after }: { readonly judge?: Account; readonly after?: string },
  limit: number,
): Promise<readonly Market[]> {
  const cursor = [after ?? null, after ?? null];
  const rows =
    judge === undefined
      ? await linkOf(db).rows(ALL_WAITING, [...cursor, limit])
      : await linkOf(db).rows(WAITING_FOR, [...cursor, judge, judge, limit]);
  return rows.map(market);
}

const QUESTIONS = statement(`SELECT id, question FROM markets
  WHERE state = 'open' AND network = ? ORDER BY id DESC LIMIT ?`);

/** The newest open questions of a network. */
export async function openQuestions(
  db: Reader,
  network: NetworkId,
  limit: number,
): Promise<readonly { readonly id: string; readonly question: string }[]> {
  const rows = await linkOf(db).rows(QUESTIONS, [network, limit]);
  return rows.map((row) => ({
    id: column.text(row, 'id'),
    question: column.text(row, 'question'),
  }));
}

export function market(row: Row): Market {
  const state = MARKET_STATES.find((each) => each === row['state']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (state === undefined || network === undefined) throw new Error('a damaged market');
  const check = checkOf(row);
  const ended = endedOf(row);
  return {
    id: column.text(row, 'id'),
    question: column.text(row, 'question'),
    source: column.text(row, 'source'),
    network,
    creator: column.account(row, 'creator'),
    state,
    ...defined({ check }),
    pots: { yes: column.amount(row, 'yes_pot'), no: column.amount(row, 'no_pot') },
    bettors: {
      yes: column.whole(row, 'yes_bettors'),
      no: column.whole(row, 'no_bettors'),
      all: column.whole(row, 'bettors'),
    },
    version: column.whole(row, 'version'),
    closesAt: column.time(row, 'closes_at'),
    resolveBy: column.time(row, 'resolve_by'),
    createdAt: column.time(row, 'created_at'),
    ...defined({ ended }),
  };
}

function checkOf(row: Row): Check | undefined {
  if (row['metric'] === null) return undefined;
  const metric = METRICS.find((each) => each === row['metric']);
  const op = CHECK_OPS.find((each) => each === row['op']);
  if (metric === undefined || op === undefined) throw new Error('a damaged check');
  return { metric, op, value: BigInt(column.text(row, 'value')) };
}

function endedOf(row: Row): Ended | undefined {
  const outcome = (['yes', 'no', 'void'] as const).find((each) => each === row['outcome']);
  if (outcome === undefined) return undefined;
  const voidReason = VOID_REASONS.find((each) => each === row['void_reason']);
  const evidence = column.textOrNull(row, 'evidence');
  const transferId = column.textOrNull(row, 'transfer_id');
  const sampled = column.textOrNull(row, 'sample_value');
  return {
    outcome,
    ...defined({ voidReason }),
    ...(row['resolved_by'] !== null && { resolvedBy: column.account(row, 'resolved_by') }),
    ...(evidence !== null && { evidence }),
    ...(sampled !== null && {
      sample: {
        value: BigInt(sampled),
        at: column.time(row, 'sample_at'),
        pulseSeq: column.whole(row, 'sample_pulse'),
      },
    }),
    judgeShare: column.amount(row, 'judge_share'),
    won: column.amount(row, 'won'),
    returned: column.amount(row, 'returned'),
    ...(transferId !== null && { transferId }),
    at: column.time(row, 'ended_at'),
  };
}
