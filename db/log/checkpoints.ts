import { integer, moment, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { minuteColumn } from '../time/columns.ts';

const APART = { apart: 'about no account' };

/** The checkpoints that the hub signed, and the lines of witnesses below them. None is deleted. */
export const LOG_CHECKPOINTS = table(
  'log_checkpoints',
  {
    size: integer().key(),
    /** The text with the hub's own signatures. */
    note: text(),
    /** SHA-256 of the signed text in hex, which is stamped in the hub's clock. */
    digest: text(),
    issuedAt: moment(),
    /** The minute that the digest was stamped in. */
    stampedIn: minuteColumn(),
  },
  { use: 'single', personal: APART },
);
export type StoredCheckpoint = RowIn<typeof LOG_CHECKPOINTS>;

export const LOG_COSIGNATURES = table(
  'log_cosignatures',
  { size: integer().key(), witness: text().key(), line: text(), at: moment() },
  { use: 'single', personal: APART },
);
export type StoredCosignature = RowIn<typeof LOG_COSIGNATURES>;

const ADD = statement(LOG_CHECKPOINTS.insertion);

export async function addCheckpoint(tx: Writer, checkpoint: StoredCheckpoint): Promise<void> {
  await linkOf(tx).rows(ADD, LOG_CHECKPOINTS.cells(checkpoint));
}

const NEWEST = statement('SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1');
const OF_SIZE = statement('SELECT * FROM log_checkpoints WHERE size = ?');
/** Keeps the newest sizes alone: a witness that is far behind says nothing about the log of today. */
const RECENT = statement(`SELECT size, CAST(count(*) AS INTEGER) AS lines FROM log_cosignatures
  WHERE size IN (SELECT size FROM log_checkpoints ORDER BY size DESC LIMIT ?)
  GROUP BY size ORDER BY size DESC`);
const SIZES_LOOKED_AT = 1_000;

export async function readCheckpoint(
  db: Reader,
  size: number | 'newest',
): Promise<StoredCheckpoint | undefined> {
  const link = linkOf(db);
  return one(
    (size === 'newest' ? await link.rows(NEWEST, []) : await link.rows(OF_SIZE, [size])).map(
      LOG_CHECKPOINTS.fromRow,
    ),
  );
}

/** The newest checkpoint that so many witnesses signed. */
export async function witnessedCheckpoint(
  db: Reader,
  witnesses: number,
): Promise<StoredCheckpoint | undefined> {
  if (witnesses === 0) return readCheckpoint(db, 'newest');
  const sizes = await linkOf(db).rows(RECENT, [SIZES_LOOKED_AT]);
  const found = sizes.find((row) => whole(row, 'lines') >= witnesses);
  return found && readCheckpoint(db, whole(found, 'size'));
}

const COSIGN = statement(`${LOG_COSIGNATURES.insertion}
  ON CONFLICT (size, witness) DO UPDATE SET ${LOG_COSIGNATURES.replacement}
  WHERE excluded.at > log_cosignatures.at`);

/** A witness has one line below a checkpoint, the latest that it signed. */
export async function addCosignature(tx: Writer, given: StoredCosignature): Promise<void> {
  await linkOf(tx).rows(COSIGN, LOG_COSIGNATURES.cells(given));
}

const COSIGNED = statement('SELECT * FROM log_cosignatures WHERE size = ? ORDER BY witness');
const LAST = statement(
  'SELECT * FROM log_cosignatures WHERE witness = ? ORDER BY size DESC LIMIT 1',
);

export async function cosignaturesOf(
  db: Reader,
  size: number,
): Promise<readonly StoredCosignature[]> {
  return (await linkOf(db).rows(COSIGNED, [size])).map(LOG_COSIGNATURES.fromRow);
}

/** The line of a witness at the largest size that it signed. */
export async function lastCosignature(
  db: Reader,
  witness: string,
): Promise<StoredCosignature | undefined> {
  return one((await linkOf(db).rows(LAST, [witness])).map(LOG_COSIGNATURES.fromRow));
}
