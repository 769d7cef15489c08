import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { dueAt } from '../../domain/predictions/change.ts';
import {
  CHECK_OPS,
  MARKET_STATES,
  METRICS,
  VOID_REASONS,
  type Market,
  type MarketState,
} from '../../domain/predictions/model.ts';
import type { Instant } from '../../domain/instant.ts';
import { ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { STAYS } from '../batch/personal.ts';
import * as column from '../batch/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { one, text } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import { newestOf } from '../newest.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** A whole number of any size, kept as text. */
function wholeText(): column.Column<bigint> {
  return column.column<bigint>('text', String, (cell) => BigInt(String(cell)));
}

/** Prediction markets. A row is locked before the accounts of its bettors. */
export const MARKETS = shaped(
  table(
    'markets',
    {
      id: column.text().key(),
      question: column.text().fixed(),
      source: column.text().fixed(),
      network: column.network().fixed(),
      creator: column.account().fixed(),
      metric: column.oneOf(METRICS).fixed().optional(),
      op: column.oneOf(CHECK_OPS).fixed().optional(),
      value: wholeText().fixed().optional(),
      closesAt: column.moment().fixed(),
      resolveBy: column.moment().fixed(),
      createdAt: column.moment().fixed(),
      state: column.oneOf(MARKET_STATES),
      yesPot: column.amount(),
      noPot: column.amount(),
      yesBettors: column.integer(),
      noBettors: column.integer(),
      bettors: column.integer(),
      version: column.integer().guard(),
      dueAt: column.moment().optional(),
      outcome: column.oneOf(['yes', 'no', 'void']).optional(),
      voidReason: column.oneOf(VOID_REASONS).optional(),
      resolvedBy: column.account().optional(),
      evidence: column.text().optional(),
      sampleValue: wholeText().optional(),
      sampleAt: column.moment().optional(),
      samplePulse: column.integer().optional(),
      judgeShare: column.amount().optional(),
      won: column.amount().optional(),
      returned: column.amount().optional(),
      transferId: column.text().optional(),
      endedAt: column.moment().optional(),
    },
    { personal: { owner: 'creator', stays: STAYS.parties }, lock: 'first', after: [TRANSFERS] },
  ),
  {
    of({
      metric,
      op,
      value,
      yesPot,
      noPot,
      yesBettors,
      noBettors,
      bettors,
      dueAt: _,
      ...row
    }): Market {
      const { outcome, voidReason, resolvedBy, evidence, sampleValue, sampleAt, samplePulse } = row;
      const { judgeShare = ZERO, won = ZERO, returned = ZERO, transferId, endedAt } = row;
      const { id, question, source, network, creator, state, version } = row;
      const { closesAt, resolveBy, createdAt } = row;
      const hasCheck = metric !== undefined && op !== undefined && value !== undefined;
      const isSampled =
        sampleValue !== undefined && sampleAt !== undefined && samplePulse !== undefined;
      const sample = isSampled
        ? { value: sampleValue, at: sampleAt, pulseSeq: samplePulse }
        : undefined;
      return {
        id,
        question,
        source,
        network,
        creator,
        state,
        version,
        closesAt,
        resolveBy,
        createdAt,
        ...(hasCheck && { check: { metric, op, value } }),
        pots: { yes: yesPot, no: noPot },
        bettors: { yes: yesBettors, no: noBettors, all: bettors },
        ...(outcome !== undefined &&
          endedAt !== undefined && {
            ended: {
              outcome,
              ...defined({ voidReason, resolvedBy, evidence, sample, transferId }),
              judgeShare,
              won,
              returned,
              at: endedAt,
            },
          }),
      };
    },
    flat(market) {
      const { check, pots, bettors, ended, ...row } = market;
      const { at: endedAt, sample, ...outcome } = ended ?? {};
      const [sampleValue, sampleAt] = [sample?.value, sample?.at];
      return {
        ...row,
        ...check,
        yesPot: pots.yes,
        noPot: pots.no,
        yesBettors: bettors.yes,
        noBettors: bettors.no,
        bettors: bettors.all,
        ...outcome,
        ...defined({ dueAt: dueAt(market), endedAt, sampleValue, sampleAt }),
        ...defined({ samplePulse: sample?.pulseSeq }),
      };
    },
  },
);

const LOCKED = statement(
  'SELECT * FROM markets WHERE id = ?',
  'SELECT * FROM markets WHERE id = ? FOR UPDATE',
);

export async function lockMarket(tx: Writer, id: string): Promise<Market | undefined> {
  const row = one(await linkOf(tx).rows(LOCKED, [id]));
  return row && MARKETS.fromRow(row);
}

export interface MarketFilter {
  readonly state?: MarketState;
  readonly network?: NetworkId;
  readonly creator?: Account;
}

export type MarketSort = 'newest' | 'closes' | 'pot';

/** The last market of a page, with the value that the order sorts by where it is not the age. */
export interface MarketPlace {
  readonly by?: string;
  readonly id: string;
}

const POT = 'yes_pot + no_pot';
/** An expression has no type of its own on SQLite, so a text would be above every number. */
const BY = 'CAST(? AS BIGINT)';

/** Newest first unless sorted otherwise; ids sort by time of making, so the id is the cursor. */
export async function listMarkets(
  db: Reader,
  { text: part, ...equal }: MarketFilter & { readonly text?: string },
  { sort, after, limit }: { sort: MarketSort; after: MarketPlace | undefined; limit: number },
): Promise<readonly Market[]> {
  const query = db.knex('markets').select<Row[]>('*');
  if (part === undefined && sort === 'newest') void query.where(equal);
  else void query.whereIn('id', newestOf(db, 'markets', equal));
  if (part !== undefined) void query.whereRaw(contains(db), [part.replace(/[A-Z]/g, lower)]);
  const { by = '', id = '' } = after ?? {};
  switch (sort) {
    case 'newest':
      if (after !== undefined) void query.where('id', '<', id);
      void query.orderBy('id', 'desc');
      break;
    case 'closes':
      if (after !== undefined) void query.whereRaw(`(closes_at, id) > (${BY}, ?)`, [by, id]);
      void query.orderBy([{ column: 'closes_at' }, { column: 'id' }]);
      break;
    case 'pot':
      if (after !== undefined) void query.whereRaw(`(${POT}, id) < (${BY}, ?)`, [by, id]);
      void query.orderByRaw(`${POT} DESC, id DESC`);
  }
  return (await query.limit(limit)).map(MARKETS.fromRow);
}

const lower = (letter: string): string => letter.toLowerCase();

/** Both databases fold A to Z alone, so that one text finds the same markets in each. */
function contains(db: Reader): string {
  return linkOf(db).dialect === 'sqlite'
    ? 'instr(lower(question), ?) > 0'
    : 'strpos(lower(question COLLATE "C"), ?) > 0';
}

const DUE = statement('SELECT * FROM markets WHERE due_at <= ? ORDER BY due_at, id LIMIT ?');

/** Markets with which the clock has to do by now, the longest due first. */
export async function dueMarkets(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly Market[]> {
  return (await linkOf(db).rows(DUE, [now, limit])).map(MARKETS.fromRow);
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
  return rows.map(MARKETS.fromRow);
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
    id: text(row, 'id'),
    question: text(row, 'question'),
  }));
}
