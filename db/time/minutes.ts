import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { minutesAfter, type Minute } from '../../domain/time/minute.ts';
import * as column from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one, text } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../stored/table.ts';
import { minuteColumn } from './columns.ts';

/**
 * The digests of each minute. A transaction that adds to a minute or closes it locks its row, so no
 * leaf can be added after the root (choices time.stamps).
 */
export const TIME_MINUTES = table(
  'time_minutes',
  {
    minute: minuteColumn().key(),
    leaves: column.integer(),
    closed: column.flag(),
    pulseSeq: column.integer().optional(),
    firstIndex: column.integer().optional(),
  },
  { apart: 'about no account' },
);

export const TIME_LEAVES = table(
  'time_leaves',
  {
    digest: column.text().key(),
    minute: minuteColumn().key(),
    place: column.integer(),
    receivedAt: column.moment(),
    keyId: column.keyId(),
  },
  { apart: 'stamps are public, and name a key of the hub' },
);
export type Leaf = RowIn<typeof TIME_LEAVES>;
const LEAF = TIME_LEAVES.columns.join(', ');

/** Leaves of one minute; what is above goes into the next. Two levels of full tiles and more. */
const LEAVES_A_MINUTE_MAX = 1_000_000;

const OPEN = statement(`${TIME_MINUTES.insertion}
  ON CONFLICT (minute) DO UPDATE SET leaves = time_minutes.leaves RETURNING *`);
const KNOWN = statement(
  `SELECT ${LEAF} FROM time_leaves
    WHERE minute = ? AND digest IN (SELECT value FROM json_each(?))`,
  `SELECT ${LEAF} FROM time_leaves
    WHERE minute = ? AND digest = ANY(?::text[])`,
);
const ADD = statement(
  `INSERT INTO time_leaves (${LEAF})
    SELECT value, ?, ? + key, ?, ? FROM json_each(?)`,
  `INSERT INTO time_leaves (${LEAF})
    SELECT v.digest, ?::bigint, ?::bigint + v.nth - 1, ?::bigint, ?::text
    FROM unnest(?::text[]) WITH ORDINALITY AS v (digest, nth)`,
);
const COUNT = statement('UPDATE time_minutes SET leaves = leaves + ? WHERE minute = ?');

export interface Arrival {
  /** The earliest minute that they may be promised to. */
  readonly minute: Minute;
  readonly receivedAt: Instant;
  readonly keyId: KeyId;
}

/**
 * Adds digests in order, each once in the list, to the minute or the first after it that takes
 * them; a digest that the minute has stays the leaf that it is. Answers all of them by digest.
 */
export async function addLeaves(
  tx: Writer,
  digests: readonly string[],
  { minute: earliest, receivedAt, keyId }: Arrival,
): Promise<ReadonlyMap<string, Leaf>> {
  const into = await openMinute(tx, earliest);
  const known = (await linkOf(tx).rows(KNOWN, [into.minute, digests])).map(TIME_LEAVES.fromRow);
  const leaves = new Map(known.map((leaf) => [leaf.digest, leaf]));
  const fresh = digests.filter((digest) => !leaves.has(digest));
  if (fresh.length === 0) return leaves;
  await linkOf(tx).rows(ADD, [into.minute, into.leaves, receivedAt, keyId, fresh]);
  await linkOf(tx).rows(COUNT, [fresh.length, into.minute]);
  for (const [nth, digest] of fresh.entries()) {
    const place = into.leaves + nth;
    leaves.set(digest, { digest, minute: into.minute, place, receivedAt, keyId });
  }
  return leaves;
}

/** Locks the minute, or the first after it, that is neither closed nor full. */
async function openMinute(tx: Writer, earliest: Minute): Promise<ClosedMinute> {
  for (let wanted = earliest; ; wanted = minutesAfter(wanted, 1)) {
    const empty = TIME_MINUTES.cells({ minute: wanted, leaves: 0, closed: false });
    const row = one(await linkOf(tx).rows(OPEN, empty));
    if (row === undefined) throw new Error('an upsert answers its row');
    const found = TIME_MINUTES.fromRow(row);
    if (!found.closed && found.leaves < LEAVES_A_MINUTE_MAX) return found;
  }
}

const MAKE_CLOSED = statement(`${TIME_MINUTES.insertion}
  ON CONFLICT (minute) DO UPDATE SET closed = 1`);
const CLOSE = statement(
  'UPDATE time_minutes SET closed = 1 WHERE pulse_seq IS NULL AND closed = 0 AND minute < ?',
);

/** Closes a minute and all before it: from now on they take no leaf. */
export async function closeMinutes(tx: Writer, upTo: Minute): Promise<void> {
  await linkOf(tx).rows(CLOSE, [upTo]);
  await linkOf(tx).rows(MAKE_CLOSED, TIME_MINUTES.cells({ minute: upTo, leaves: 0, closed: true }));
}

export type ClosedMinute = Pick<RowIn<typeof TIME_MINUTES>, 'minute' | 'leaves'>;
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
