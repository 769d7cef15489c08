import type { Seal } from '../../domain/ledger/seal.ts';
import type { LandedSeal } from '../../domain/ledger/sealCheck.ts';
import { minute, type Minute } from '../../domain/time/minute.ts';
import { bodyText, fromBodyText } from '../../domain/time/signedObject.ts';
import { json, one, text, whole, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Sealed blocks of the journal; a row changes once, when the pulse that stamped it is there. */
export interface StoredSeal {
  readonly seal: Seal;
  /** The minute of the hub's clock that its digest was stamped in. */
  readonly stampedIn: Minute;
  /** The pulse that it landed in, and its way there; undefined until then. */
  readonly landed: LandedSeal | undefined;
}

const NEWEST = statement('SELECT * FROM seals ORDER BY block_no DESC LIMIT 1');
const ONE = statement('SELECT * FROM seals WHERE block_no = ?');
const UNPROVED = statement('SELECT * FROM seals WHERE proof IS NULL ORDER BY block_no LIMIT ?');
const COVERING = statement('SELECT * FROM seals WHERE to_seq >= ? ORDER BY to_seq LIMIT 1');
const PAGE = statement('SELECT * FROM seals WHERE block_no >= ? ORDER BY block_no LIMIT ?');

export async function readSeal(
  db: Reader,
  block: number | 'head',
): Promise<StoredSeal | undefined> {
  const link = linkOf(db);
  const rows = block === 'head' ? await link.rows(NEWEST, []) : await link.rows(ONE, [block]);
  return one(rows.map(storedSeal));
}

/** The block that has a transfer; undefined while it is not sealed. */
export async function sealCovering(db: Reader, seq: number): Promise<StoredSeal | undefined> {
  return one((await linkOf(db).rows(COVERING, [seq])).map(storedSeal));
}

/** Blocks that wait for their pulse, the oldest first. */
export async function unprovedSeals(db: Reader, limit: number): Promise<readonly StoredSeal[]> {
  return (await linkOf(db).rows(UNPROVED, [limit])).map(storedSeal);
}

export async function sealPage(
  db: Reader,
  from: number,
  limit: number,
): Promise<readonly StoredSeal[]> {
  return (await linkOf(db).rows(PAGE, [from, limit])).map(storedSeal);
}

function storedSeal(row: Row): StoredSeal {
  const rest = { digest: text(row, 'digest'), signature: text(row, 'signature') };
  const pulseSeq = wholeOrNull(row, 'pulse_seq');
  return {
    seal: fromBodyText('seal', text(row, 'body'), rest),
    stampedIn: minute(whole(row, 'stamped_in')),
    landed:
      pulseSeq === null
        ? undefined
        : { pulseSeq, ...(json(row, 'proof') as Omit<LandedSeal, 'pulseSeq'>) },
  };
}

const INSERT = statement(`INSERT INTO seals (block_no, from_seq, to_seq, before_no, before_to_seq,
    digest, body, signature, sealed_at, stamped_in)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

/** Adds a block behind `before`; the caller holds the chain (`lockChain`). */
export async function addSeal(
  tx: Writer,
  seal: Seal,
  before: Seal | undefined,
  stampedIn: Minute,
): Promise<void> {
  const { blockNo, fromSeq, toSeq, sealedAt } = seal.body;
  const body = bodyText('seal', seal);
  const place = [blockNo, fromSeq, toSeq, before?.body.blockNo ?? null, before?.body.toSeq ?? null];
  await linkOf(tx).rows(INSERT, [
    ...place,
    seal.digest,
    body,
    seal.signature,
    Date.parse(sealedAt),
    stampedIn,
  ]);
}

const LAND = statement('UPDATE seals SET pulse_seq = ?, proof = ? WHERE block_no = ?');

export async function landSeal(
  tx: Writer,
  blockNo: number,
  { pulseSeq, index, path }: LandedSeal,
): Promise<void> {
  await linkOf(tx).rows(LAND, [pulseSeq, JSON.stringify({ index, path }), blockNo]);
}
