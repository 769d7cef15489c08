import { strict as assert } from 'node:assert';
import type { Instant } from '../../domain/instant.ts';
import type { Account } from '../../domain/account.ts';
import { fullWorth, weigh } from '../../domain/karma.ts';
import type {
  Earlier,
  KarmaMoney,
  KarmaSubject,
  StandingCause,
  Weighed,
} from '../../domain/karma.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Writer } from '../connection.ts';
import { need, type Need } from '../batch/need.ts';
import type { Decider } from '../batch/transaction.ts';
import { LINKED } from '../tasks/linkLookups.ts';
import {
  earlierKey,
  KARMA_EARLIER,
  KARMA_ENTRIES,
  KARMA_SHOWN,
  KARMA_TOTALS,
} from './karmaTables.ts';

/** Locks the total, so that of two causes at once the second is weighed after the first. */
const LOCK = statement(`
  INSERT INTO karma_totals (subject, total, from_test) VALUES (?, 0, 0)
  ON CONFLICT (subject) DO UPDATE SET total = karma_totals.total RETURNING from_test`);

/** Returns the subject's karma from test networks and locks it until the unit ends. */
export async function lockStanding(tx: Writer, subject: KarmaSubject): Promise<number> {
  const locked = column.one(await linkOf(tx).rows(LOCK, [subject]));
  assert(locked !== undefined, 'an upsert answers its row');
  return column.whole(locked, 'from_test');
}

export interface Recorded {
  readonly id: string;
  readonly at: Instant;
  readonly money: KarmaMoney;
  /** When the transaction began: earlier entries count from there back. */
  readonly startedAt: Instant;
}

export function karmaReads(cause: StandingCause, startedAt: Instant): readonly Need[] {
  return [need(KARMA_EARLIER, earlierKey(cause, startedAt))];
}

/** Writes one weighed entry. Returns false if its occasion counted before or is worth nothing. */
export function recordKarma(
  db: Decider,
  cause: StandingCause,
  { id, at, money, startedAt }: Recorded,
): boolean {
  if (fullWorth(cause.reason, money) === 0) return false;
  const { subject, reason, occasion } = cause;
  const found = db.find(KARMA_EARLIER, earlierKey(cause, startedAt));
  assert(found !== undefined, 'counts are found for every cause');
  const own = db.added(KARMA_ENTRIES).filter((entry) => entry.subject === subject);
  const isGiven = own.some((each) => each.reason === reason && each.occasion === occasion);
  if (found.given > 0 || isGiven) return false;
  const { total, fromTest } = db.find(KARMA_TOTALS, subject) ?? { total: 0, fromTest: 0 };
  const earlier = { ...withOwn(db, cause, found, own), fromTestNetworks: fromTest };
  const weighed = weigh(cause, money, earlier);
  const { delta } = weighed;
  db.put(KARMA_ENTRIES, id, { ...cause, ...weighed, at, id, money });
  db.put(KARMA_TOTALS, subject, {
    subject,
    total: total + delta,
    fromTest: fromTest + (money === 'test' ? delta : 0),
  });
  if (delta !== 0) db.put(KARMA_SHOWN, subject, subject);
  return true;
}

type Counts = Omit<Earlier, 'fromTestNetworks'>;

/** The counts of the database, and what this very transaction gave the subject before. */
function withOwn(
  db: Decider,
  { reason, counterparty }: StandingCause,
  found: Counts,
  own: readonly (Pick<StandingCause, 'reason' | 'counterparty'> & Weighed)[],
): Counts {
  const isSame = (other: Account | undefined): boolean =>
    counterparty !== undefined &&
    other !== undefined &&
    (other === counterparty || db.find(LINKED, { one: other, other: counterparty }) !== undefined);
  const gains = own.filter(({ fullDelta }) => fullDelta > 0);
  const sum = (of: typeof gains): number => of.reduce((total, { delta }) => total + delta, 0);
  return {
    ownParty: found.ownParty,
    fromCounterparty:
      found.fromCounterparty + gains.filter((each) => isSame(each.counterparty)).length,
    todayByReason: found.todayByReason + sum(gains.filter((each) => each.reason === reason)),
    todayFromHouse:
      found.todayFromHouse + sum(gains.filter((each) => each.counterparty?.startsWith('hub:'))),
  };
}
