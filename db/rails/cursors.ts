import type { Instant } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { hash } from './columns.ts';

/** How far a chain was read: by height and hash, so that another chain at that height is noticed. */
export interface Cursor {
  readonly height: number;
  readonly hash: ChainHash;
  /** Up to here the blocks were looked at a second time, at depth. */
  readonly settled: number;
  /** Transfers in blocks up to this one were before this database and count nothing in it. */
  readonly firstHeight: number;
  readonly head: number;
  readonly finalized: number;
  /** When the chain answered last. */
  readonly answeredAt: Instant;
}

const READ = statement('SELECT * FROM chain_cursors WHERE network = ?');

export async function readCursor(db: Reader, of: NetworkId): Promise<Cursor | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [of]));
  return (
    row && {
      height: column.whole(row, 'height'),
      hash: hash(row, 'hash'),
      settled: column.whole(row, 'settled'),
      firstHeight: column.whole(row, 'first_height'),
      head: column.whole(row, 'head'),
      finalized: column.whole(row, 'finalized'),
      answeredAt: column.time(row, 'answered_at'),
    }
  );
}

const START = statement(`
  INSERT INTO chain_cursors (network, height, hash, settled, first_height, head, finalized,
    answered_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (network) DO NOTHING`);

export async function startCursor(tx: Writer, of: NetworkId, at: Cursor): Promise<void> {
  const { height, settled, firstHeight, head, finalized, answeredAt } = at;
  const reading = [height, at.hash, settled, firstHeight];
  await linkOf(tx).rows(START, [of, ...reading, head, finalized, answeredAt]);
}

const HEARD = statement(`UPDATE chain_cursors SET head = ?, finalized = ?, answered_at = ?
  WHERE network = ?`);

/** Stores the heights that the chain reported. */
export async function heardFrom(
  tx: Writer,
  of: NetworkId,
  { head, finalized, answeredAt }: Pick<Cursor, 'head' | 'finalized' | 'answeredAt'>,
): Promise<void> {
  await linkOf(tx).rows(HEARD, [head, finalized, answeredAt, of]);
}

const MOVE = statement(`UPDATE chain_cursors SET height = ?, hash = ?, settled = ?
  WHERE network = ? AND height = ? AND hash = ? AND settled = ? RETURNING 1 AS done`);
const KEEP = statement(`INSERT INTO chain_blocks (network, height, hash) VALUES (?, ?, ?)
  ON CONFLICT (network, height) DO UPDATE SET hash = excluded.hash`);
const FORGET = statement('DELETE FROM chain_blocks WHERE network = ? AND height > ?');
const RETIRE = statement('DELETE FROM chain_blocks WHERE network = ? AND height < ?');

/** Blocks that are remembered behind the cursor, to find where another chain left this one. */
const REMEMBERED = 20_000;

/** Moves the cursor, forward or back; false when another process has moved it. */
export async function moveCursor(
  tx: Writer,
  of: NetworkId,
  from: Cursor,
  to: Pick<Cursor, 'height' | 'hash' | 'settled'>,
): Promise<boolean> {
  const link = linkOf(tx);
  const values = [to.height, to.hash, to.settled, of, from.height, from.hash, from.settled];
  if ((await link.rows(MOVE, values)).length === 0) return false;
  await link.rows(FORGET, [of, to.height]);
  await link.rows(KEEP, [of, to.height, to.hash]);
  await link.rows(RETIRE, [of, to.height - REMEMBERED]);
  return true;
}

const KNOWN = statement(`SELECT height, hash FROM chain_blocks
  WHERE network = ? AND height < ? ORDER BY height DESC LIMIT ?`);

/** The nearest remembered blocks below a height, highest first. */
export async function blocksBelow(
  db: Reader,
  of: NetworkId,
  height: number,
  limit: number,
): Promise<readonly { readonly height: number; readonly hash: ChainHash }[]> {
  const rows = await linkOf(db).rows(KNOWN, [of, height, limit]);
  return rows.map((row) => ({ height: column.whole(row, 'height'), hash: hash(row, 'hash') }));
}
