import { text, time, wholeOrNull } from '../columns.ts';
import { linkOf, statement, type Link, type Row, type Writer } from '../connection.ts';
import { lock } from '../advisoryLocks.ts';

/** Journal partitions on PostgreSQL by transfer number, made ahead so that no payment waits. */
export interface Partition {
  /** The number of the first transfer. */
  readonly from: number;
  /** The number of the first transfer behind it. */
  readonly to: number;
}

/** Partitions that are empty still. */
const AHEAD = 2;
/** A partition that was full sooner is followed by one of twice its size. */
const SPAN_MS_MIN = 15 * 86_400_000;
const SIZE_MAX = 1_000_000_000;
/** Behind what lies in the rest, while other transfers go there. */
const REST_MARGIN = 1_000_000;
const LOCK_TIMEOUT_MS = 1_000;

export const PARTITIONS = statement(
  '',
  `SELECT pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = to_regclass('entries')`,
);
const NEWEST = statement('', 'SELECT max(seq) AS newest FROM transfers');
const BEGAN = statement('', 'SELECT at FROM transfers WHERE seq >= ? ORDER BY seq LIMIT 1');
const REST = statement('', 'SELECT max(transfer_seq) AS newest FROM entries_rest');
const BOUND = /^FOR VALUES FROM \('(\d+)'\) TO \('(\d+)'\)$/;

/** In the order of the journal; none on SQLite, and in a database of before there were any. */
async function journalPartitions(link: Link): Promise<readonly Partition[]> {
  if (link.dialect === 'sqlite') return [];
  return partitionsIn(await link.rows(PARTITIONS, []));
}

export function partitionsIn(rows: readonly Row[]): readonly Partition[] {
  const partitions = rows.flatMap((row): Partition[] => {
    const [, from, to] = BOUND.exec(text(row, 'bound')) ?? [];
    return to === undefined ? [] : [{ from: Number(from), to: Number(to) }];
  });
  return partitions.sort((a, b) => a.from - b.from);
}

/** Makes the partitions that are missing ahead of the journal. Returns how many. */
export async function makePartitionsAhead(tx: Writer): Promise<number> {
  const link = linkOf(tx);
  const known = await journalPartitions(link);
  if (known.length === 0) return 0;
  const newest = wholeOrNull((await link.rows(NEWEST, []))[0] ?? {}, 'newest') ?? 0;
  const missing = (all: readonly Partition[]): number =>
    AHEAD - all.filter(({ from }) => from > newest).length;
  if (missing(known) <= 0) return 0;
  await lock(tx, 'journalPartitions');
  await tx.knex.raw(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const partitions = [...(await journalPartitions(link))];
  const rest = wholeOrNull((await link.rows(REST, []))[0] ?? {}, 'newest');
  let made = 0;
  for (let last = partitions.at(-1); last && missing(partitions) > 0; made += 1) {
    const size = await nextSize(link, partitions, last, newest);
    const from = rest === null ? last.to : Math.max(last.to, rest + REST_MARGIN);
    last = { from, to: from + size };
    await addPartition(link, last);
    partitions.push(last);
  }
  return made;
}

/** The size of the last partition, or twice that when the one before the current was soon full. */
async function nextSize(
  link: Link,
  partitions: readonly Partition[],
  last: Partition,
  newest: number,
): Promise<number> {
  const size = last.to - last.from;
  const [before, current] = partitions.filter(({ from }) => from <= newest).slice(-2);
  if (before === undefined || current === undefined) return size;
  const [began, ended] = [await beganAt(link, before), await beganAt(link, current)];
  const wasSlow = began === undefined || ended === undefined || ended - began >= SPAN_MS_MIN;
  return wasSlow ? size : Math.min(SIZE_MAX, size * 2);
}

async function beganAt(link: Link, { from }: Partition): Promise<number | undefined> {
  const [row] = await link.rows(BEGAN, [from]);
  return row && time(row, 'at');
}

/** Locks the new table and the rest alone: the others are read and written meanwhile. */
export async function addPartition(
  { knex }: Pick<Link, 'knex'>,
  { from, to }: Partition,
): Promise<void> {
  const name = `entries_${from}`;
  await knex.raw(`CREATE TABLE ${name} (LIKE entries INCLUDING ALL)`);
  await knex.raw(
    `ALTER TABLE entries ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
  );
}
