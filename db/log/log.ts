import type { LeafKind } from '../../domain/log/receipts.ts';
import { LEAF_KINDS } from '../../domain/log/receipts.ts';
import type { Tile, TileName } from '../../domain/time/tiles.ts';
import { one, text, whole } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { oneOf } from '../rails/columns.ts';

/** The leaves and tiles of the transparency log. Both only grow. */
export interface LogState {
  readonly origin: string;
  readonly size: number;
  /** The last transfer of the journal whose leaves are in the log. */
  readonly readTo: number;
}

const BEGIN = statement(`INSERT INTO log_state (one, origin, size, read_to) VALUES (1, ?, 0, 0)
  ON CONFLICT DO NOTHING`);

/** Names the log of a database that has none yet; a name never changes. */
export async function beginLog(tx: Writer, origin: string): Promise<void> {
  await linkOf(tx).rows(BEGIN, [origin]);
}

const STATE = 'SELECT origin, size, read_to FROM log_state';
const READ = statement(STATE);
const LOCK = statement(STATE, `${STATE} FOR UPDATE`);
const MOVE = statement('UPDATE log_state SET size = ?, read_to = ?');

/** With `lock`, other processes that add leaves wait until this unit has ended. */
export async function readLog(db: Reader, how?: 'lock'): Promise<LogState> {
  const row = one(await linkOf(db).rows(how === 'lock' ? LOCK : READ, []));
  if (row === undefined) throw new Error('the log is begun before the first answer');
  return {
    origin: text(row, 'origin'),
    size: whole(row, 'size'),
    readTo: whole(row, 'read_to'),
  };
}

export async function moveLog(tx: Writer, size: number, readTo: number): Promise<void> {
  await linkOf(tx).rows(MOVE, [size, readTo]);
}

export interface Leaf {
  readonly kind: LeafKind;
  /** Of the receipt, in hex. */
  readonly digest: string;
}

const ADD = statement(
  `INSERT INTO log_leaves (place, digest, kind)
    SELECT ? + key, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
  `INSERT INTO log_leaves (place, digest, kind)
    SELECT ?::bigint + n - 1, value ->> 0, value ->> 1
    FROM json_array_elements(?::json) WITH ORDINALITY AS each (value, n)`,
);

export async function addLeaves(tx: Writer, first: number, leaves: readonly Leaf[]): Promise<void> {
  const list = JSON.stringify(leaves.map(({ digest, kind }) => [digest, kind]));
  await linkOf(tx).rows(ADD, [first, list]);
}

const PLACE = statement('SELECT place, kind FROM log_leaves WHERE digest = ?');

export async function findLeaf(
  db: Reader,
  digest: string,
): Promise<{ readonly place: number; readonly kind: LeafKind } | undefined> {
  const row = one(await linkOf(db).rows(PLACE, [digest]));
  return row && { place: whole(row, 'place'), kind: oneOf(row, 'kind', LEAF_KINDS) };
}

const PAGE = statement(
  'SELECT kind, digest FROM log_leaves WHERE place >= ? AND place < ? ORDER BY place',
);

export async function leavesFrom(
  db: Reader,
  first: number,
  count: number,
): Promise<readonly Leaf[]> {
  const rows = await linkOf(db).rows(PAGE, [first, first + count]);
  return rows.map((row) => ({
    kind: oneOf(row, 'kind', LEAF_KINDS),
    digest: text(row, 'digest'),
  }));
}

const SAVE = statement(`INSERT INTO log_tiles (level, tile, hashes) VALUES (?, ?, ?)
  ON CONFLICT (level, tile) DO UPDATE SET hashes = excluded.hashes`);

/** A tile that is not full is replaced by itself with more hashes. */
export async function saveTiles(tx: Writer, tiles: readonly Tile[]): Promise<void> {
  for (const { level, tile, hashes } of tiles) {
    await linkOf(tx).rows(SAVE, [level, tile, Buffer.from(hashes).toString('base64')]);
  }
}

const TILE = statement('SELECT hashes FROM log_tiles WHERE level = ? AND tile = ?');

/** The tiles of a proof are a handful, each found by its key. */
export async function readTiles(db: Reader, names: readonly TileName[]): Promise<readonly Tile[]> {
  const tiles: Tile[] = [];
  for (const { level, tile } of names) {
    const row = one(await linkOf(db).rows(TILE, [level, tile]));
    if (row !== undefined) {
      tiles.push({ level, tile, hashes: Buffer.from(text(row, 'hashes'), 'base64') });
    }
  }
  return tiles;
}
