import { strict as assert } from 'node:assert';
import { minute, type Minute } from '../../domain/time/minute.ts';
import { HASH_BYTES, type Hash } from '../../domain/time/merkle.ts';
import { pathFromTiles, tilesForPath, type Tile } from '../../domain/time/tiles.ts';
import { integer } from '../batch/columns.ts';
import { one, whole, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { hashesColumn } from './columns.ts';

/** Where a stamped digest is, and its way to the root of its pulse. */
export interface StampPlace {
  /** The minute that it was promised to. */
  readonly minute: Minute;
  readonly place: number;
  /** The pulse that has it; null while there is none. */
  readonly pulseSeq: number | null;
  /** Its index in the tree of that pulse; null while there is none. */
  readonly index: number | null;
}

const SELECT = `SELECT l.minute, l.place, m.pulse_seq, m.first_index
  FROM time_leaves l JOIN time_minutes m ON m.minute = l.minute WHERE l.digest = ?`;
const EARLIEST = statement(`${SELECT} AND l.minute > ? ORDER BY l.minute LIMIT 1`);
const IN_MINUTE = statement(`${SELECT} AND l.minute = ?`);
const IN_PULSE = statement(`${SELECT} AND m.pulse_seq = ? ORDER BY l.minute LIMIT 1`);

export type StampSearch =
  { readonly after: Minute } | { readonly minute: Minute } | { readonly seq: number };

/** The stamp of a digest in a minute, in a pulse, or the earliest one after a minute. */
export async function findStamp(
  db: Reader,
  digest: string,
  search: StampSearch,
): Promise<StampPlace | undefined> {
  const [find, value] =
    'seq' in search
      ? [IN_PULSE, search.seq]
      : 'minute' in search
        ? [IN_MINUTE, search.minute]
        : [EARLIEST, search.after];
  const row = one(await linkOf(db).rows(find, [digest, value]));
  if (row === undefined) return undefined;
  const first = wholeOrNull(row, 'first_index');
  const place = whole(row, 'place');
  return {
    minute: minute(whole(row, 'minute')),
    place,
    pulseSeq: wholeOrNull(row, 'pulse_seq'),
    index: first === null ? null : first + place,
  };
}

const OLDEST = statement(
  'SELECT min(minute) AS minute FROM time_minutes WHERE pulse_seq = ? AND leaves > 0',
);

/** The oldest minute of a pulse's leaves, its own or a late one; null when it has no leaves. */
export async function oldestMinuteIn(db: Reader, seq: number): Promise<Minute | null> {
  const row = one(await linkOf(db).rows(OLDEST, [seq]));
  const oldest = row === undefined ? null : wholeOrNull(row, 'minute');
  return oldest === null ? null : minute(oldest);
}

export const TIME_TILES = table(
  'time_tiles',
  {
    pulseSeq: integer().key(),
    level: integer().key(),
    tile: integer().key(),
    hashes: hashesColumn(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

/** A tile's name as one number, so that a list of names is a list of numbers. */
const LEVEL_STEP = 1_000_000;
const OF_TILES = (names: string): string => `SELECT t.* FROM ${names}
  time_tiles t ON t.level = n.value / ${LEVEL_STEP} AND t.tile = n.value % ${LEVEL_STEP}
  WHERE t.pulse_seq = ?`;
// SQLite would rather read every tile of the pulse; a cross join is its word for "in this order".
const TILES = statement(
  OF_TILES('json_each(?) AS n CROSS JOIN'),
  OF_TILES('unnest(?::bigint[]) AS n (value) JOIN'),
);

/** The audit path of a leaf in the tree of a pulse. */
export async function auditPathOf(
  db: Reader,
  seq: number,
  index: number,
  leaves: number,
): Promise<readonly Hash[]> {
  const names = tilesForPath(index, leaves).map(({ level, tile }) => level * LEVEL_STEP + tile);
  const rows = await linkOf(db).rows(TILES, [names, seq]);
  return pathFromTiles(index, leaves, rows.map(TIME_TILES.fromRow));
}

const ADD = statement(TIME_TILES.insertion);

export async function addTiles(tx: Writer, seq: number, tiles: readonly Tile[]): Promise<void> {
  for (const tile of tiles) {
    assert(tile.hashes.length % HASH_BYTES === 0, 'a tile is whole hashes');
    await linkOf(tx).rows(ADD, TIME_TILES.cells({ ...tile, pulseSeq: seq }));
  }
}
