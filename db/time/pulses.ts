import { strict as assert } from 'node:assert';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { minute, type Minute } from '../../domain/time/minute.ts';
import type { Head, Pulse } from '../../domain/time/pulse.ts';
import { bodyText, fromBodyText } from '../../domain/time/signedObject.ts';
import * as column from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import type { RowIn } from '../batch/table.ts';
import { one, text, time, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { minuteColumn } from './columns.ts';

/** The chain of pulses. Rows are never changed, and leave it only into `withdrawn.ts`. */
export const TIME_CHAIN = table(
  'time_chain',
  {
    name: column.text().key(),
    beganAt: column.moment(),
    /** The bytes that the newest pulse committed to, in hex; null before the first. */
    nextRandom: column.text().orNull(),
    /** A withdrawn pulse has shown them. */
    nextShown: column.flag(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

export const TIME_PULSES = table(
  'time_pulses',
  {
    seq: column.integer().key(),
    minute: minuteColumn(),
    issuedAt: column.moment(),
    beforeSeq: column.integer().optional(),
    beforeMinute: minuteColumn().optional(),
    beforeIssuedAt: column.moment().optional(),
    leaves: column.integer(),
    digest: column.text(),
    body: column.text(),
    signature: column.text(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

export interface Chain extends Omit<RowIn<typeof TIME_CHAIN>, 'nextShown'> {
  readonly head: Head | undefined;
}

const BEGIN = statement(`INSERT INTO time_chain (name, began_at)
  SELECT ?, CAST(? AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM time_chain)
  ON CONFLICT DO NOTHING`);

/** Names the chain of a database that has none yet. */
export async function beginChain(tx: Writer, name: string, at: Instant): Promise<void> {
  await linkOf(tx).rows(BEGIN, [name, at]);
}

const LOCK = statement(
  'SELECT 1 AS held FROM time_chain',
  'SELECT 1 AS held FROM time_chain FOR UPDATE',
);

/** Makes others who add a pulse or a seal wait until this unit has ended. */
export async function lockChain(tx: Writer): Promise<void> {
  await linkOf(tx).rows(LOCK, []);
}

const CHAIN = statement(`SELECT c.*, p.seq, p.minute, p.issued_at,
    p.digest
  FROM time_chain c LEFT JOIN time_pulses p ON p.seq = (SELECT max(seq) FROM time_pulses)`);

export async function readChain(db: Reader): Promise<Chain> {
  const row = one(await linkOf(db).rows(CHAIN, []));
  assert(row !== undefined, 'the chain is begun before the first answer');
  return { ...TIME_CHAIN.fromRow(row), head: row['seq'] === null ? undefined : headOf(row) };
}

/**
 * The bytes that the newest pulse committed to, in hex, and the number of that pulse; asked by 1.
 * None outside has the bytes before the next pulse shows them; bytes that a withdrawn
 * pulse showed are not found.
 */
export const SEALED_RANDOM = lookup('sealed_random', {
  by: { one: column.integer() },
  found: { random: column.text().optional(), head: column.integer().optional() },
  sql: () => ({
    random: '(SELECT next_random FROM time_chain WHERE next_shown = 0)',
    head: '(SELECT max(seq) FROM time_pulses)',
  }),
});

/** The newest pulse, asked by 1; undefined before the first. */
export const HEAD = lookup('time_head', {
  by: { one: column.integer() },
  found: {
    seq: column.integer(),
    minute: minuteColumn(),
    issuedAt: column.moment(),
    digest: column.text(),
  },
  sql: () => ({ seq: 'p.seq', minute: 'p.minute', issuedAt: 'p.issued_at', digest: 'p.digest' }),
  from: () => 'time_pulses p ON p.seq = (SELECT max(seq) FROM time_pulses)',
});

function headOf(row: Row): Head {
  return {
    seq: whole(row, 'seq'),
    minute: minute(whole(row, 'minute')),
    issuedAt: time(row, 'issued_at'),
    digest: text(row, 'digest'),
  };
}

const INSERT = statement(TIME_PULSES.insertion);
const SECRET = statement('UPDATE time_chain SET next_random = ?, next_shown = 0');

export interface IssuedPulse {
  readonly pulse: Pulse;
  readonly minute: Minute;
  readonly issuedAt: Instant;
  readonly head: Head | undefined;
  /** The bytes that the next pulse will show, in hex. */
  readonly nextRandom: string;
}

/** Adds a pulse behind `head`; the caller holds the chain. */
export async function addPulse(tx: Writer, issued: IssuedPulse): Promise<void> {
  const { pulse, head, minute, issuedAt } = issued;
  const { seq, leaves } = pulse.body;
  const { digest, signature } = pulse;
  const before = {
    beforeSeq: head?.seq,
    beforeMinute: head?.minute,
    beforeIssuedAt: head?.issuedAt,
  };
  const row = { seq, minute, issuedAt, leaves, digest, signature, ...defined(before) };
  const cells = TIME_PULSES.cells({ ...row, body: bodyText('pulse', pulse) });
  await linkOf(tx).rows(INSERT, cells);
  await linkOf(tx).rows(SECRET, [issued.nextRandom]);
}

const PULSE = statement('SELECT * FROM time_pulses WHERE seq = ?');
const NEWEST = statement('SELECT * FROM time_pulses ORDER BY seq DESC LIMIT 1');

export async function readPulse(db: Reader, seq: number | 'head'): Promise<Pulse | undefined> {
  const rows = linkOf(db);
  const row = one(seq === 'head' ? await rows.rows(NEWEST, []) : await rows.rows(PULSE, [seq]));
  if (row === undefined) return undefined;
  const { digest, signature, body } = TIME_PULSES.fromRow(row);
  return fromBodyText('pulse', body, { digest, signature });
}
