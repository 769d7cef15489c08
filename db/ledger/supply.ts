import type { Instant } from '../../domain/instant.ts';
import { REASONS, type Reason } from '../../domain/ledger/reasons.ts';
import { one, signed, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';
import type { Place } from './accounts.ts';
import { reason } from './statement.ts';

/** A stretch of time without its first moment, so neighbours share no transfer. */
export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

/** Sources and uses of a network's money in a span (choices discovery.figures), in atomic units. */
export interface Supply {
  /** Money inside now: what the outside owes. */
  readonly supply: bigint;
  readonly supplyBefore: bigint;
  /** The part of the supply that is not the house's, now and before the span. */
  readonly ofUsers: bigint;
  readonly ofUsersBefore: bigint;
  /** From the chain, x402 payments included, less what was reversed. */
  readonly deposits: bigint;
  readonly faucet: bigint;
  readonly issued: bigint;
  /** The amount that users paid for withdrawals to the chain and their fees. */
  readonly withdrawn: bigint;
  readonly burned: bigint;
  /** The amount that the fee account received, whatever left it again. */
  readonly feesTaken: bigint;
  readonly recirculated: bigint;
  /** The amount that users received from other users. */
  readonly moved: bigint;
  /** In the order of the closed set; reasons that moved nothing are absent. */
  readonly byReason: readonly MovedFor[];
}
interface MovedFor {
  readonly reason: Reason;
  readonly amount: bigint;
  /** Transfers. */
  readonly count: number;
}

/** The maximum clock skew: a seal this much older than a moment has no transfer after it. */
const SKEW_MS_MAX = 60_000;
const SEALED = statement(`SELECT to_seq FROM seals WHERE sealed_at <= ?
  ORDER BY sealed_at DESC, block_no DESC LIMIT 1`);

/** Excludes the pots of the games, which belong to the players. */
export const OF_HOUSE = `a.class = 'hub' AND a.name NOT LIKE 'hub:pot:%'`;
export const total = (column: 'posted' | 'held', which: string): Statement =>
  statement(`SELECT CAST(coalesce(sum(a.${column}), 0) AS TEXT) AS total
    FROM accounts a WHERE a.network = ? AND a.asset = ? AND ${which}`);
const OUTSIDE = total('posted', `a.class = 'external'`);
const HOUSE = total('posted', OF_HOUSE);

/** SQLite stops at sums beyond 63 bits, so whole millions and the rest are summed apart. */
const PART = 1_000_000n;
export const sum = (name: string, when: string): string => `
  CAST(coalesce(sum(CASE WHEN ${when} THEN e.delta / ${PART} END), 0) AS TEXT) AS ${name}_high,
  CAST(coalesce(sum(CASE WHEN ${when} THEN e.delta % ${PART} END), 0) AS TEXT) AS ${name}_low`;
const FROM_USER = `e.counterparty NOT LIKE 'hub:%' AND e.counterparty NOT LIKE 'external:%'`;
const flowsText = (accounts: string): string => `
  SELECT e.reason, count(DISTINCT e.transfer_seq) AS transfers,
    ${sum('amount', 'e.delta > 0')},
    ${sum('outside', "a.class = 'external'")},
    ${sum('users', "a.class = 'user'")},
    ${sum('house', OF_HOUSE)},
    ${sum('between_users', `a.class = 'user' AND e.delta > 0 AND ${FROM_USER}`)},
    ${sum('burned', "a.name = 'hub:burned' AND e.delta > 0")},
    ${sum('fees_in', "a.name = 'hub:fees' AND e.delta > 0")},
    ${sum('fees_out', "a.name = 'hub:fees' AND e.delta < 0")}
  FROM entries e CROSS JOIN ${accounts} a
  WHERE a.id = e.account_id AND a.network = ? AND a.asset = ? AND e.kind = 'move'
    AND e.transfer_seq > ? AND e.at > ? AND e.at <= ?
  GROUP BY e.reason`;
/**
 * Entries first, then each account by its id: else both databases may go through all accounts.
 * SQLite keeps the order of a CROSS JOIN, PostgreSQL plans what has a LIMIT apart.
 */
const FLOWS = statement(
  flowsText('accounts'),
  flowsText('LATERAL (SELECT * FROM accounts WHERE id = e.account_id LIMIT 1)'),
);

/**
 * Reads one snapshot: entries of the span, and earlier ones that no seal of that time covers.
 * Entries after `to` count only in `supply`, which is now.
 */
export async function supplyIn(db: Reader, place: Place, { from, to }: Span): Promise<Supply> {
  const { network, asset } = place;
  const now = await supplyNow(db, place);
  const after = await sealedBefore(db, from);
  const rows = await linkOf(db).rows(FLOWS, [network, asset, after, from, to]);
  const flows = rows
    .map(flowOf)
    .sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
  return { ...totalsOf(flows, now), byReason: flows.map(movedFor) };
}

export async function supplyNow(
  db: Reader,
  place: Place,
): Promise<{ readonly supply: bigint; readonly house: bigint }> {
  return {
    supply: -(await readSum(db, place, OUTSIDE)),
    house: await readSum(db, place, HOUSE),
  };
}

export async function readSum(db: Reader, place: Place, which: Statement): Promise<bigint> {
  const found = one(await linkOf(db).rows(which, [place.network, place.asset]));
  if (found === undefined) throw new Error('a sum has a row');
  return signed(found, 'total');
}

/** The newest transfer that is surely older than the moment; 0 where no seal says so. */
export async function sealedBefore(db: Reader, at: Instant): Promise<number> {
  const sealed = one(await linkOf(db).rows(SEALED, [at - SKEW_MS_MAX]));
  return sealed === undefined ? 0 : whole(sealed, 'to_seq');
}

type Flow = ReturnType<typeof flowOf>;

function flowOf(row: Row) {
  return {
    reason: reason(row),
    count: whole(row, 'transfers'),
    amount: summed(row, 'amount'),
    fromOutside: -summed(row, 'outside'),
    fromUsers: -summed(row, 'users'),
    toHouse: summed(row, 'house'),
    betweenUsers: summed(row, 'between_users'),
    burned: summed(row, 'burned'),
    feesIn: summed(row, 'fees_in'),
    feesOut: -summed(row, 'fees_out'),
  };
}

export function summed(row: Row, name: string): bigint {
  return signed(row, `${name}_high`) * PART + signed(row, `${name}_low`);
}

function movedFor({ reason, amount, count }: Flow): MovedFor {
  return { reason, amount, count };
}

type Figure = Exclude<keyof Flow, 'reason' | 'count'>;

function totalsOf(
  flows: readonly Flow[],
  { supply, house }: { readonly supply: bigint; readonly house: bigint },
): Omit<Supply, 'byReason'> {
  const over = (figure: Figure, counts: (reason: Reason) => boolean): bigint =>
    flows.reduce((total, flow) => (counts(flow.reason) ? total + flow[figure] : total), 0n);
  const of = (figure: Figure, ...reasons: readonly Reason[]): bigint =>
    over(figure, (each) => reasons.includes(each));
  const all = (figure: Figure): bigint => over(figure, () => true);
  const supplyBefore = supply - all('fromOutside');
  return {
    supply,
    supplyBefore,
    ofUsers: supply - house,
    ofUsersBefore: supplyBefore - (house - all('toHouse')),
    deposits: of('fromOutside', 'deposit', 'deposit.reversed', 'x402.topup'),
    faucet: of('fromOutside', 'faucet'),
    issued: of('fromOutside', 'issue'),
    withdrawn: of('fromUsers', 'withdraw', 'withdraw.fee', 'x402.pay'),
    burned: all('burned'),
    feesTaken: all('feesIn'),
    recirculated: of('feesOut', 'recirculate'),
    // A sweep carries the money of one owner to another account of the same owner.
    moved: over('betweenUsers', (each) => each !== 'sweep.evm'),
  };
}
