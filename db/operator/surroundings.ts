import type { Instant } from '../../domain/instant.ts';
import { one, text, whole } from '../columns.ts';
import { linkOf, statement, type Link, type Reader } from '../connection.ts';

/** Things that the hub relies on and cannot mend, such as backups and standbys. */
export interface Surroundings {
  /** Milliseconds since the newest backup, or since the hub's first key where none was made. */
  readonly backupAgeMs: number | undefined;
  /** Feeds of which no page was read for an hour. */
  readonly feedsFailing: number;
  /** Webhooks by state; `failing` are active ones that took nothing for an hour. */
  readonly webhooks: ReadonlyMap<WebhookHealth, number>;
  /** Undefined on SQLite. */
  readonly replication: Replication | undefined;
}
type WebhookHealth = 'active' | 'failing' | 'paused' | 'disabled';

interface Replication {
  /** Standbys that are connected. */
  readonly standbys: number;
  /** Standbys that COMMIT waits for or a slot is kept for, and that are not connected. */
  readonly missing: number;
  /** The newest attempt to archive the log of the database failed. */
  readonly archiveFails: boolean;
}

const HOUR_MS = 3_600_000;
/** The first pause between two attempts is an hour (`FEED_LIMITS`). */
const FAILURES_OF_AN_HOUR = 2;

const BACKUP = statement(`
  SELECT coalesce((SELECT made_at FROM backups WHERE id = 1),
    (SELECT min(made_at) FROM hub_keys), -1) AS made_at`);
const FEEDS = statement('SELECT count(*) AS n FROM crawl_feeds WHERE failures >= ?');
const WEBHOOKS = statement(`
  SELECT CASE WHEN state = 'active' AND failing_since <= ? THEN 'failing' ELSE state END AS name,
    count(*) AS n FROM webhooks GROUP BY 1`);
/** The role of a hub sees how many standbys there are; their state is for roles that monitor. */
const REPLICATION = statement(
  '',
  `SELECT current_setting('synchronous_standby_names') AS wanted,
    (SELECT count(*) FROM pg_stat_replication) AS standbys,
    (SELECT count(*) FROM pg_replication_slots
      WHERE slot_type = 'physical' AND NOT active) AS abandoned,
    (SELECT last_failed_time > coalesce(last_archived_time, 'epoch')
      FROM pg_stat_archiver) AS fails`,
);

export async function surroundings(db: Reader, now: Instant): Promise<Surroundings> {
  const link = linkOf(db);
  const madeAt = Number(one(await link.rows(BACKUP, []))?.['made_at']);
  const failing = await link.rows(WEBHOOKS, [now - HOUR_MS]);
  const feeds = one(await link.rows(FEEDS, [FAILURES_OF_AN_HOUR]));
  return {
    backupAgeMs: madeAt < 0 ? undefined : now - madeAt,
    feedsFailing: feeds === undefined ? 0 : whole(feeds, 'n'),
    webhooks: new Map(
      failing.map((row) => [text(row, 'name') as WebhookHealth, whole(row, 'n')] as const),
    ),
    replication: await replication(link),
  };
}

async function replication(link: Link): Promise<Replication | undefined> {
  if (link.dialect === 'sqlite') return undefined;
  const row = one(await link.rows(REPLICATION, []));
  if (row === undefined) return undefined;
  const standbys = whole(row, 'standbys');
  const lost = Math.max(0, awaited(text(row, 'wanted')) - standbys);
  const missing = Math.max(lost, whole(row, 'abandoned'));
  return { standbys, missing, archiveFails: row['fails'] === true };
}

/** How many standbys a COMMIT waits for: one for `a, b`, two for `2 (a, b)` and `ANY 2 (a)`. */
export function awaited(names: string): number {
  if (names.trim() === '') return 0;
  const [, count] = /^\s*(?:(?:FIRST|ANY)\s+)?(\d+)\s*\(/i.exec(names) ?? [];
  return count === undefined ? 1 : Number(count);
}
