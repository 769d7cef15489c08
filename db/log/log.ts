import { LEAF_KINDS } from '../../domain/log/receipts.ts';
import type { Tile, TileName } from '../../domain/time/tiles.ts';
import { integer, oneOf, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { hashesColumn } from '../time/columns.ts';

const APART = { apart: 'about no account' };

/** The leaves and tiles of the transparency log. Both only grow. */
export const LOG_STATE = table(
  'log_state',
  {
    one: integer().key(),
    origin: text(),
    size: integer(),
    /** The last transfer of the journal whose leaves are in the log. */
    readTo: integer(),
  },
  { use: 'single', personal: APART },
);
export type LogState = Omit<RowIn<typeof LOG_STATE>, 'one'>;

export const LOG_LEAVES = table(
  'log_leaves',
  {
    place: integer().key(),
    /** The digest of the receipt, in hex. */
    digest: text(),
    kind: oneOf(LEAF_KINDS),
  },
  { use: 'single', personal: APART },
);
export type Leaf = Omit<RowIn<typeof LOG_LEAVES>, 'place'>;

export const LOG_TILES = table(
  'log_tiles',
  { level: integer().key(), tile: integer().key(), hashes: hashesColumn() },
  { use: 'single', personal: APART },
);

const BEGIN = statement(`${LOG_STATE.insertion} ON CONFLICT DO NOTHING`);

/** Names the log of a database that has none yet; a name never changes. */
export async function beginLog(tx: Writer, origin: string): Promise<void> {
  await linkOf(tx).rows(BEGIN, LOG_STATE.cells({ one: 1, origin, size: 0, readTo: 0 }));
}

const STATE = 'SELECT * FROM log_state';
const READ = statement(STATE);
const LOCK = statement(STATE, `${STATE} FOR UPDATE`);
const MOVE = statement('UPDATE log_state SET size = ?, read_to = ?');

/** With `lock`, other processes that add leaves wait until this unit has ended. */
export async function readLog(db: Reader, how?: 'lock'): Promise<LogState> {
  const row = one(await linkOf(db).rows(how === 'lock' ? LOCK : READ, []));
  if (row === undefined) throw new Error('the log is begun before the first answer');
  return LOG_STATE.fromRow(row);
}

export async function moveLog(tx: Writer, size: number, readTo: number): Promise<void> {
  await linkOf(tx).rows(MOVE, [size, readTo]);
}

const ADD = statement(
  `INSERT INTO log_leaves (${LOG_LEAVES.columns.join(', ')})
    SELECT ? + key, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
  `INSERT INTO log_leaves (${LOG_LEAVES.columns.join(', ')})
    SELECT ?::bigint + n - 1, value ->> 0, value ->> 1
    FROM json_array_elements(?::json) WITH ORDINALITY AS each (value, n)`,
);

export async function addLeaves(tx: Writer, first: number, leaves: readonly Leaf[]): Promise<void> {
  const list = JSON.stringify(leaves.map(({ digest, kind }) => [digest, kind]));
  await linkOf(tx).rows(ADD, [first, list]);
}

const PLACE = statement('SELECT * FROM log_leaves WHERE digest = ?');

export async function findLeaf(
  db: Reader,
  digest: string,
): Promise<RowIn<typeof LOG_LEAVES> | undefined> {
  const row = one(await linkOf(db).rows(PLACE, [digest]));
  return row && LOG_LEAVES.fromRow(row);
}

const PAGE = statement('SELECT * FROM log_leaves WHERE place >= ? AND place < ? ORDER BY place');

export async function leavesFrom(
  db: Reader,
  first: number,
  count: number,
): Promise<readonly Leaf[]> {
  return (await linkOf(db).rows(PAGE, [first, first + count])).map(LOG_LEAVES.fromRow);
}

const SAVE = statement(`${LOG_TILES.insertion}
  ON CONFLICT (level, tile) DO UPDATE SET ${LOG_TILES.replacement}`);

/** A tile that is not full is replaced by itself with more hashes. */
export async function saveTiles(tx: Writer, tiles: readonly Tile[]): Promise<void> {
  for (const tile of tiles) await linkOf(tx).rows(SAVE, LOG_TILES.cells(tile));
}

const TILE = statement('SELECT * FROM log_tiles WHERE level = ? AND tile = ?');

/** The tiles of a proof are a handful, each found by its key. */
export async function readTiles(db: Reader, names: readonly TileName[]): Promise<readonly Tile[]> {
  const tiles: Tile[] = [];
  for (const { level, tile } of names) {
    const row = one(await linkOf(db).rows(TILE, [level, tile]));
    if (row !== undefined) tiles.push(LOG_TILES.fromRow(row));
  }
  return tiles;
}
