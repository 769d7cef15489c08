import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { minutesAfter, type Minute } from '../../domain/time/minute.ts';
import * as column from '../batch/columns.ts';
import { need, type Need } from '../batch/need.ts';
import { table, type RowIn } from '../batch/table.ts';
import type { Decider } from '../batch/transaction.ts';
import { text } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { minuteColumn } from './columns.ts';

/**
 * The digests of each minute. A transaction that adds to a minute or closes it locks its row, so no
 * leaf can be added after the root (choices time.stamps).
 */
export const TIME_MINUTES = table(
  'time_minutes',
  {
    minute: minuteColumn().key(),
    leaves: column.integer().guard(),
    closed: column.flag().guard(),
    pulseSeq: column.integer().optional(),
    firstIndex: column.integer().optional(),
  },
  { personal: { apart: 'about no account' } },
);

export const TIME_LEAVES = table(
  'time_leaves',
  {
    digest: column.text().key(),
    minute: minuteColumn().key(),
    place: column.integer().fixed(),
    receivedAt: column.moment().fixed(),
    keyId: column.keyId().fixed(),
  },
  {
    personal: { apart: 'stamps are public, and name a key of the hub' },
    lock: 'none',
    under: [TIME_MINUTES],
  },
);
export type Leaf = RowIn<typeof TIME_LEAVES>;

/** Leaves of one minute; what is above goes into the next. Two levels of full tiles and more. */
const LEAVES_A_MINUTE_MAX = 1_000_000;

export interface Arrival {
  /** The earliest minute that they may be promised to. */
  readonly minute: Minute;
  readonly receivedAt: Instant;
  readonly keyId: KeyId;
}

export function readsOfLeaves(digests: readonly string[], minute: Minute): readonly Need[] {
  const leaves = digests.map((digest) => need(TIME_LEAVES, { digest, minute }));
  return [need(TIME_MINUTES, minute), ...leaves];
}

/**
 * Adds digests in order, each once in the list, to the minute or the first after it that takes
 * them; a digest that the minute has stays the leaf that it is. Answers all of them by digest.
 */
export function addLeaves(
  db: Decider,
  digests: readonly string[],
  { minute: earliest, receivedAt, keyId }: Arrival,
): ReadonlyMap<string, Leaf> {
  db.ask(readsOfLeaves(digests, earliest));
  const into = openMinute(db, earliest);
  const { minute } = into;
  let place = into.leaves;
  const leaves = new Map<string, Leaf>();
  db.ask(readsOfLeaves(digests, minute));
  for (const digest of digests) {
    const known = db.find(TIME_LEAVES, { digest, minute });
    const leaf = known ?? { digest, minute, place, receivedAt, keyId };
    leaves.set(digest, leaf);
    if (known !== undefined) continue;
    db.put(TIME_LEAVES, leaf, leaf);
    place += 1;
  }
  if (place > into.leaves) db.put(TIME_MINUTES, minute, { ...into, leaves: place });
  return leaves;
}

/** The minute, or the first after it, that is neither closed nor full. */
function openMinute(db: Decider, earliest: Minute): StoredMinute {
  for (let minute = earliest; ; minute = minutesAfter(minute, 1)) {
    const found = db.find(TIME_MINUTES, minute) ?? { minute, leaves: 0, closed: false };
    if (!found.closed && found.leaves < LEAVES_A_MINUTE_MAX) return found;
  }
}

const MAKE_CLOSED = statement(`
  INSERT INTO time_minutes (minute, leaves, closed) VALUES (?, 0, 1)
  ON CONFLICT (minute) DO UPDATE SET closed = 1`);
const CLOSE = statement(
  'UPDATE time_minutes SET closed = 1 WHERE pulse_seq IS NULL AND closed = 0 AND minute < ?',
);

/** Closes a minute and all before it: from now on they take no leaf. */
export async function closeMinutes(tx: Writer, upTo: Minute): Promise<void> {
  await linkOf(tx).rows(CLOSE, [upTo]);
  await linkOf(tx).rows(MAKE_CLOSED, [upTo]);
}

type StoredMinute = RowIn<typeof TIME_MINUTES>;
export type ClosedMinute = Pick<StoredMinute, 'minute' | 'leaves'>;
const UNSEALED = statement(`SELECT * FROM time_minutes
  WHERE pulse_seq IS NULL AND closed = 1 AND minute <= ? ORDER BY minute`);
const PAGE = statement(`SELECT digest FROM time_leaves
  WHERE minute = ? AND place >= ? ORDER BY place LIMIT ?`);

/** The closed minutes that no pulse has yet, in their order; those before the last one are late. */
export async function unsealedMinutes(db: Reader, upTo: Minute): Promise<readonly ClosedMinute[]> {
  const rows = await linkOf(db).rows(UNSEALED, [upTo]);
  return rows.map(TIME_MINUTES.fromRow).map(({ minute, leaves }) => ({ minute, leaves }));
}

export async function leafPage(
  db: Reader,
  of: Minute,
  from: number,
  limit: number,
): Promise<readonly string[]> {
  return (await linkOf(db).rows(PAGE, [of, from, limit])).map((row) => text(row, 'digest'));
}

const SEAL = statement(
  'UPDATE time_minutes SET pulse_seq = ?, first_index = ? WHERE minute = ? AND closed = 1',
);

/** Notes which pulse has the leaves of closed minutes, one minute's after the other's. */
export async function sealMinutes(
  tx: Writer,
  minutes: readonly ClosedMinute[],
  seq: number,
): Promise<void> {
  let first = 0;
  for (const each of minutes) {
    await linkOf(tx).rows(SEAL, [seq, first, each.minute]);
    first += each.leaves;
  }
}
