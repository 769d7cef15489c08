import type { Instant } from '../../domain/instant.ts';
import type { Pulse } from '../../domain/time/pulse.ts';
import { fromBodyText, type Kind, type SignedObject } from '../../domain/time/signedObject.ts';
import * as column from '../batch/columns.ts';
import { one, time, whole, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Pulses and sealed blocks that a clock dated ahead, before and after they are withdrawn. */
export interface Ahead {
  readonly pulses: number;
  /** Numbers of the first and the last of them. */
  readonly first: number;
  readonly last: number;
  readonly issuedFrom: Instant;
  readonly issuedTo: Instant;
  /** Blocks of the journal that are dated after the moment. */
  readonly blocks: number;
}

const AHEAD = statement(`SELECT CAST(count(*) AS BIGINT) AS pulses, min(seq) AS first,
    max(seq) AS last, min(issued_at) AS issued_from, max(issued_at) AS issued_to,
    (SELECT count(*) FROM seals WHERE sealed_at > ?) AS blocks
  FROM time_pulses WHERE issued_at > ?`);

/** The part of the chain that is dated after a moment; undefined when there is none. */
export async function datedAfter(db: Reader, now: Instant): Promise<Ahead | undefined> {
  const row = one(await linkOf(db).rows(AHEAD, [now, now]));
  if (row === undefined || wholeOrNull(row, 'first') === null) return undefined;
  return {
    pulses: whole(row, 'pulses'),
    first: whole(row, 'first'),
    last: whole(row, 'last'),
    issuedFrom: time(row, 'issued_from'),
    issuedTo: time(row, 'issued_to'),
    blocks: whole(row, 'blocks'),
  };
}

export const TIME_WITHDRAWN = table(
  'time_withdrawn',
  {
    digest: column.text().key(),
    kind: column.oneOf(['pulse', 'seal']),
    place: column.integer(),
    body: column.text(),
    signature: column.text(),
    withdrawnAt: column.moment(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
const ALL = TIME_WITHDRAWN.columns.join(', ');

export interface Withdrawn {
  readonly at: Instant;
  readonly signed: SignedObject<unknown>;
}

const AT_PLACE = statement(`SELECT ${ALL} FROM time_withdrawn
  WHERE kind = ? AND place = ? ORDER BY withdrawn_at, digest LIMIT 100`);

/** The objects of one number that were withdrawn, in the order of the withdrawals. */
export async function withdrawnAt(
  db: Reader,
  kind: Extract<Kind, 'pulse' | 'seal'>,
  place: number,
): Promise<readonly Withdrawn[]> {
  const rows = await linkOf(db).rows(AT_PLACE, [kind, place]);
  return rows.map(TIME_WITHDRAWN.fromRow).map(({ withdrawnAt: at, body, digest, signature }) => ({
    at,
    signed: fromBodyText<unknown>(kind, body, { digest, signature }),
  }));
}

const KEEP_PULSES = statement(`INSERT INTO time_withdrawn (${ALL})
  SELECT digest, 'pulse', seq, body, signature, CAST(? AS BIGINT) FROM time_pulses WHERE seq >= ?`);
const KEEP_SEALS = statement(`INSERT INTO time_withdrawn (${ALL})
  SELECT digest, 'seal', block_no, body, signature, CAST(? AS BIGINT) FROM seals WHERE sealed_at > ?`);
const DROP_SEALS = statement('DELETE FROM seals WHERE sealed_at > ?');
const UNLAND = statement('UPDATE seals SET pulse_seq = NULL, proof = NULL WHERE pulse_seq >= ?');
const DROP_TILES = statement('DELETE FROM time_tiles WHERE pulse_seq >= ?');
const UNSEAL = statement(
  'UPDATE time_minutes SET pulse_seq = NULL, first_index = NULL WHERE pulse_seq >= ?',
);
// Minutes to come take leaves again; those that they have were promised to them.
const REOPEN = statement(
  'UPDATE time_minutes SET closed = 0 WHERE pulse_seq IS NULL AND minute > ?',
);
const DROP_PULSES = statement('DELETE FROM time_pulses WHERE seq >= ?');
const GO_BACK = statement(`UPDATE time_chain SET next_random = ?, next_shown = CAST(? AS BIGINT),
  began_at = CASE WHEN began_at > ? THEN CAST(? AS BIGINT) ELSE began_at END`);

/**
 * Moves the pulses from `first` on, and the blocks dated ahead, out of their chains. Leaves of past
 * minutes wait for the next pulse again. The caller holds the chain.
 */
export async function withdrawFrom(tx: Writer, { body }: Pulse, now: Instant): Promise<void> {
  const first = body.seq;
  const link = linkOf(tx);
  await link.rows(KEEP_PULSES, [now, first]);
  await link.rows(KEEP_SEALS, [now, now]);
  await link.rows(DROP_SEALS, [now]);
  await link.rows(UNLAND, [first]);
  await link.rows(DROP_TILES, [first]);
  await link.rows(UNSEAL, [first]);
  await link.rows(REOPEN, [now]);
  await withdrawKeys(tx, first, now);
  await link.rows(DROP_PULSES, [first]);
  const [random, shown] = first === 0 ? [null, 0] : [body.random, 1];
  await link.rows(GO_BACK, [random, shown, now, now]);
}

const WAIT_AGAIN = statement(`UPDATE hub_keys
  SET not_before = NULL, not_after = NULL, announced_in = NULL
  WHERE announced_in >= ? AND not_after IS NULL
    AND NOT EXISTS (SELECT 1 FROM hub_keys WHERE not_before IS NULL)`);
const END_AT_ONCE = statement(
  'UPDATE hub_keys SET not_after = not_before WHERE announced_in >= ? AND not_after IS NULL',
);
const SIGN_AGAIN = statement(`UPDATE hub_keys SET not_after = NULL WHERE key_id = (
    SELECT key_id FROM hub_keys
    WHERE not_before IS NOT NULL AND (announced_in IS NULL OR announced_in < ?)
    ORDER BY coalesce(announced_in, -1) DESC LIMIT 1)`);
const BEGIN_NOW = statement(
  'UPDATE hub_keys SET not_before = ? WHERE announced_in IS NULL AND not_before > ?',
);

/** The key of the last pulse that counts signs again; the newest announced one waits again. */
async function withdrawKeys(tx: Writer, first: number, now: Instant): Promise<void> {
  const link = linkOf(tx);
  await link.rows(WAIT_AGAIN, [first]);
  await link.rows(END_AT_ONCE, [first]);
  await link.rows(SIGN_AGAIN, [first]);
  await link.rows(BEGIN_NOW, [now, now]);
}
