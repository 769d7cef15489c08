import type { NetworkId } from '../../domain/network.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import { integer, moment, network } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { hashColumn } from './columns.ts';

const APART = { apart: 'about no account' };

/** How far a chain was read: by height and hash, so that another chain at that height is noticed. */
export const CHAIN_CURSORS = table(
  'chain_cursors',
  {
    network: network().key(),
    height: integer(),
    hash: hashColumn(),
    /** Up to here the blocks were looked at a second time, at depth. */
    settled: integer(),
    head: integer(),
    finalized: integer(),
    /** When the chain answered last. */
    answeredAt: moment(),
    /** Transfers in blocks up to this one were before this database and count nothing in it. */
    firstHeight: integer(),
  },
  { use: 'single', personal: APART },
);
export type Cursor = Omit<RowIn<typeof CHAIN_CURSORS>, 'network'>;

export const CHAIN_BLOCKS = table(
  'chain_blocks',
  { network: network().key(), height: integer().key(), hash: hashColumn() },
  { use: 'single', personal: APART },
);

const READ = statement('SELECT * FROM chain_cursors WHERE network = ?');

export async function readCursor(db: Reader, of: NetworkId): Promise<Cursor | undefined> {
  const row = one(await linkOf(db).rows(READ, [of]));
  return row && CHAIN_CURSORS.fromRow(row);
}

const START = statement(`${CHAIN_CURSORS.insertion} ON CONFLICT (network) DO NOTHING`);

export async function startCursor(tx: Writer, of: NetworkId, at: Cursor): Promise<void> {
  await linkOf(tx).rows(START, CHAIN_CURSORS.cells({ network: of, ...at }));
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
const KEEP = statement(`${CHAIN_BLOCKS.insertion}
  ON CONFLICT (network, height) DO UPDATE SET ${CHAIN_BLOCKS.replacement}`);
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
  await link.rows(KEEP, CHAIN_BLOCKS.cells({ network: of, height: to.height, hash: to.hash }));
  await link.rows(RETIRE, [of, to.height - REMEMBERED]);
  return true;
}

const KNOWN = statement(`SELECT * FROM chain_blocks
  WHERE network = ? AND height < ? ORDER BY height DESC LIMIT ?`);

/** The nearest remembered blocks below a height, highest first. */
export async function blocksBelow(
  db: Reader,
  of: NetworkId,
  height: number,
  limit: number,
): Promise<readonly { readonly height: number; readonly hash: ChainHash }[]> {
  return (await linkOf(db).rows(KNOWN, [of, height, limit])).map(CHAIN_BLOCKS.fromRow);
}
