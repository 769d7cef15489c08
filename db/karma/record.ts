import { strict as assert } from 'node:assert';
import type { Instant } from '../../domain/instant.ts';
import { fullWorth, weigh } from '../../domain/karma.ts';
import type { KarmaMoney, KarmaSubject, StandingCause } from '../../domain/karma.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Writer } from '../connection.ts';
import { decideIn } from '../declared/inside.ts';
import { need, type Need } from '../declared/table.ts';
import type { Decider } from '../declared/unit.ts';
import { earlierKey, KARMA_EARLIER, KARMA_ENTRIES, KARMA_TOTALS } from './declared.ts';
import { showKarma } from './listings.ts';

/**
 * Locks the subject's total, so that of two causes at once the second is weighed after the first.
 */
const LOCK = statement(`
  INSERT INTO karma_totals (subject, total, from_test) VALUES (?, 0, 0)
  ON CONFLICT (subject) DO UPDATE SET total = karma_totals.total RETURNING from_test`);

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
  recorded: Recorded,
): Promise<boolean> {
  if (fullWorth(cause.reason, recorded.money) === 0) return false;
  await lockStanding(tx, cause.subject);
  const planned = plannedEntry(cause, recorded);
  const delta = await decideIn(tx, {
    ...planned,
    decide: (db) => planned.decide(db, recorded.at),
  });
  if (delta !== undefined && delta !== 0) await showKarma(tx, cause.subject);
  return delta !== undefined;
}

/** An entry of a declared unit. */
export interface PlannedEntry {
  readonly needs: readonly Need[];
  /**
   * What it adds to the standing, on the day of the plan; undefined when the occasion had its entry
   * already.
   */
  decide(db: Decider, at: Instant): number | undefined;
}

/** The cause is worth something on this money. */
export function plannedEntry(cause: StandingCause, { id, at, money }: Recorded): PlannedEntry {
  const { subject } = cause;
  const key = earlierKey(cause, at);
  return {
    needs: [need(KARMA_TOTALS, subject), need(KARMA_EARLIER, key)],
    decide(db, now) {
      const earlier = db.find(KARMA_EARLIER, key);
      assert(earlier !== undefined, 'counts are found for every cause');
      if (earlier.given > 0) return undefined;
      const { total, fromTest } = db.find(KARMA_TOTALS, subject) ?? { total: 0, fromTest: 0 };
      const weighed = weigh(cause, money, { ...earlier, fromTestNetworks: fromTest });
      const { delta } = weighed;
      const fromThis = money === 'test' ? delta : 0;
      db.put(KARMA_ENTRIES, id, { ...cause, ...weighed, at: now, id, money });
      db.put(KARMA_TOTALS, subject, {
        ...{ subject, total: total + delta, fromTest: fromTest + fromThis, isChanged: true },
      });
      return delta;
    },
  };
}
