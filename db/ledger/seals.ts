import { defined } from '../../domain/defined.ts';
import type { Seal } from '../../domain/ledger/seal.ts';
import type { LandedSeal } from '../../domain/ledger/sealCheck.ts';
import type { Minute } from '../../domain/time/minute.ts';
import { bodyText, fromBodyText } from '../../domain/time/signedObject.ts';
import * as column from '../batch/columns.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { minuteColumn } from '../time/columns.ts';

/** Sealed blocks of the journal; a row changes once, when the pulse that stamped it is there. */
export const SEALS = table(
  'seals',
  {
    blockNo: column.integer().key(),
    fromSeq: column.integer(),
    toSeq: column.integer(),
    beforeNo: column.integer().optional(),
    beforeToSeq: column.integer().optional(),
    digest: column.text(),
    body: column.text(),
    signature: column.text(),
    sealedAt: column.integer(),
    stampedIn: minuteColumn(),
    pulseSeq: column.integer().optional(),
    proof: column.json<Omit<LandedSeal, 'pulseSeq'>>().optional(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

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
  const { digest, signature, body, stampedIn, pulseSeq, proof } = SEALS.fromRow(row);
  return {
    seal: fromBodyText('seal', body, { digest, signature }),
    stampedIn,
    landed: pulseSeq === undefined || proof === undefined ? undefined : { pulseSeq, ...proof },
  };
}

const INSERT = statement(SEALS.insertion);

/** Adds a block behind `before`; the caller holds the chain (`lockChain`). */
export async function addSeal(
  tx: Writer,
  seal: Seal,
  before: Seal | undefined,
  stampedIn: Minute,
): Promise<void> {
  const { blockNo, fromSeq, toSeq, sealedAt } = seal.body;
  const { digest, signature } = seal;
  const cells = SEALS.cells({
    blockNo,
    fromSeq,
    toSeq,
    digest,
    signature,
    stampedIn,
    sealedAt: Date.parse(sealedAt),
    ...defined({ beforeNo: before?.body.blockNo, beforeToSeq: before?.body.toSeq }),
    body: bodyText('seal', seal),
  });
  await linkOf(tx).rows(INSERT, cells);
}

const LAND = statement('UPDATE seals SET pulse_seq = ?, proof = ? WHERE block_no = ?');

export async function landSeal(
  tx: Writer,
  blockNo: number,
  { pulseSeq, index, path }: LandedSeal,
): Promise<void> {
  await linkOf(tx).rows(LAND, [pulseSeq, JSON.stringify({ index, path }), blockNo]);
}
