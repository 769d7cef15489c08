import { instant, type Instant } from '../../domain/instant.ts';
import { minute, type Minute } from '../../domain/time/minute.ts';
import { one, text, time, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** The checkpoints that the hub signed, and the lines of witnesses below them. None is deleted. */
export interface StoredCheckpoint {
  readonly size: number;
  /** The text with the hub's own signatures. */
  readonly note: string;
  /** SHA-256 of the signed text in hex, which is stamped in the hub's clock. */
  readonly digest: string;
  readonly issuedAt: Instant;
  /** The minute that the digest was stamped in. */
  readonly stampedIn: Minute;
}

const ADD = statement(`INSERT INTO log_checkpoints (size, note, digest, issued_at, stamped_in)
  VALUES (?, ?, ?, ?, ?)`);

export async function addCheckpoint(tx: Writer, checkpoint: StoredCheckpoint): Promise<void> {
  const { size, note, digest, issuedAt, stampedIn } = checkpoint;
  await linkOf(tx).rows(ADD, [size, note, digest, issuedAt, stampedIn]);
}

const NEWEST = statement('SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1');
const OF_SIZE = statement('SELECT * FROM log_checkpoints WHERE size = ?');
/** Of the newest sizes alone: a witness that is far behind says nothing about the log of today. */
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
      checkpointOf,
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

function checkpointOf(row: Row): StoredCheckpoint {
  return {
    size: whole(row, 'size'),
    note: text(row, 'note'),
    digest: text(row, 'digest'),
    issuedAt: time(row, 'issued_at'),
    stampedIn: minute(whole(row, 'stamped_in')),
  };
}

export interface StoredCosignature {
  readonly size: number;
  readonly witness: string;
  readonly line: string;
  readonly at: Instant;
}

const COSIGN = statement(`INSERT INTO log_cosignatures (size, witness, line, at) VALUES (?, ?, ?, ?)
  ON CONFLICT (size, witness) DO UPDATE SET line = excluded.line, at = excluded.at
  WHERE excluded.at > log_cosignatures.at`);

/** A witness has one line below a checkpoint, the latest that it signed. */
export async function addCosignature(tx: Writer, given: StoredCosignature): Promise<void> {
  await linkOf(tx).rows(COSIGN, [given.size, given.witness, given.line, given.at]);
}

const COSIGNED = statement('SELECT * FROM log_cosignatures WHERE size = ? ORDER BY witness');
const LAST = statement(
  'SELECT * FROM log_cosignatures WHERE witness = ? ORDER BY size DESC LIMIT 1',
);

export async function cosignaturesOf(
  db: Reader,
  size: number,
): Promise<readonly StoredCosignature[]> {
  return (await linkOf(db).rows(COSIGNED, [size])).map(cosignatureOf);
}

/** The line of a witness at the largest size that it signed. */
export async function lastCosignature(
  db: Reader,
  witness: string,
): Promise<StoredCosignature | undefined> {
  return one((await linkOf(db).rows(LAST, [witness])).map(cosignatureOf));
}

function cosignatureOf(row: Row): StoredCosignature {
  return {
    size: whole(row, 'size'),
    witness: text(row, 'witness'),
    line: text(row, 'line'),
    at: instant(whole(row, 'at')),
  };
}
