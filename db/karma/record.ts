import { strict as assert } from 'node:assert';
import { instant } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import {
  COUNTERPARTY_SEEN_MAX,
  COUNTERPARTY_WINDOW,
  fullWorth,
  weigh,
} from '../../domain/karma.ts';
import type { Earlier, KarmaMoney, KarmaSubject, StandingCause } from '../../domain/karma.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { partyOf } from '../tasks/links.ts';
import { showKarma } from './listings.ts';

/**
 * Locks the subject's total, so that of two causes at once the second is weighed after the first.
 */
const LOCK = statement(`
  INSERT INTO karma_totals (subject, total, from_test) VALUES (?, 0, 0)
  ON CONFLICT (subject) DO UPDATE SET total = karma_totals.total RETURNING from_test`);
const EARLIER = (list: string): string => `
  SELECT
    CAST((SELECT count(*) FROM (
      SELECT 1 FROM karma_entries WHERE subject = ? AND counterparty ${list} AND at > ?
        AND full_delta > 0 LIMIT ${COUNTERPARTY_SEEN_MAX}) AS seen) AS INTEGER) AS party,
    CAST((SELECT coalesce(sum(delta), 0) FROM karma_entries
      WHERE subject = ? AND at >= ? AND full_delta > 0 AND reason = ?) AS INTEGER) AS by_reason,
    CAST((SELECT coalesce(sum(delta), 0) FROM karma_entries
      WHERE subject = ? AND at >= ? AND full_delta > 0 AND counterparty LIKE 'hub:%')
      AS INTEGER) AS from_house`;
const GAINS = statement(
  EARLIER('IN (SELECT value FROM json_each(?))'),
  EARLIER('= ANY (?::text[])'),
);
const INSERT = statement(`
  INSERT INTO karma_entries (id, subject, at, delta, full_delta, lowered_by, reason, ref_kind,
    ref_id, occasion, counterparty, money)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (subject, reason, occasion) DO NOTHING RETURNING 1 AS done`);
const ADD = statement(`
  UPDATE karma_totals SET total = total + ?, from_test = from_test + ? WHERE subject = ?`);

/**
 * Answers what the subject has from test networks, which nobody else changes until the unit ends.
 */
export async function lockStanding(tx: Writer, subject: KarmaSubject): Promise<number> {
  const locked = column.one(await linkOf(tx).rows(LOCK, [subject]));
  assert(locked !== undefined, 'an upsert answers its row');
  return column.whole(locked, 'from_test');
}

export interface Recorded {
  readonly id: string;
  readonly at: Instant;
  readonly money: KarmaMoney;
}

/**
 * Writes one entry, weighed by the rules against farming, in the transaction of what caused it.
 * Answers whether it is new: an occasion counts once, and a reason that is worth nothing on this
 * money leaves no entry.
 */
export async function recordKarma(
  tx: Writer,
  cause: StandingCause,
  { id, at, money }: Recorded,
): Promise<boolean> {
  if (fullWorth(cause.reason, money) === 0) return false;
  const { subject, reason, ref, occasion, counterparty } = cause;
  const earlier = await earlierOf(tx, cause, at, await lockStanding(tx, subject));
  const { delta, fullDelta, loweredBy } = weigh(cause, money, earlier);
  const inserted = await linkOf(tx).rows(INSERT, [
    id,
    subject,
    at,
    delta,
    fullDelta,
    loweredBy ?? null,
    reason,
    ref.kind,
    ref.id,
    occasion,
    counterparty ?? null,
    money,
  ]);
  if (inserted.length === 0) return false;
  if (delta === 0) return true;
  await linkOf(tx).rows(ADD, [delta, money === 'test' ? delta : 0, subject]);
  await showKarma(tx, subject);
  return true;
}

async function earlierOf(
  db: Reader,
  { subject, reason, counterparty }: StandingCause,
  at: Instant,
  fromTestNetworks: number,
): Promise<Earlier> {
  const party = counterparty === undefined ? [] : await partyOf(db, counterparty);
  const since = instant(at - COUNTERPARTY_WINDOW * 1000);
  const today = utcDay(at);
  const [row] = await linkOf(db).rows(GAINS, [
    ...[subject, party, since],
    ...[subject, today, reason],
    ...[subject, today],
  ]);
  assert(row !== undefined, 'a query of sums has a row');
  return {
    ownParty: party.some((each) => each === subject),
    fromCounterparty: column.whole(row, 'party'),
    todayByReason: column.whole(row, 'by_reason'),
    todayFromHouse: column.whole(row, 'from_house'),
    fromTestNetworks,
  };
}
