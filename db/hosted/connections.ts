import type { KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import { keyId as key, moment } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { noteCounts } from '../registry/counts.ts';
import { table } from '../batch/table.ts';

/** Agents that keep a connection open, and until when it counts without being renewed. */
export const HOSTED_CONNECTIONS = table(
  'hosted_connections',
  { keyId: key().key(), since: moment(), until: moment() },
  { use: 'single', personal: { apart: 'whether a hosted agent is connected just now' } },
);

const RENEW = statement(`
  ${HOSTED_CONNECTIONS.insertion} ON CONFLICT (key_id) DO UPDATE SET
    since = CASE WHEN hosted_connections.until < ? THEN excluded.since
      ELSE hosted_connections.since END,
    until = excluded.until
  RETURNING since`);

/** Renews a connection; true when it is a new one. */
export async function renewConnection(
  tx: Writer,
  keyId: KeyId,
  { now, until }: { readonly now: Instant; readonly until: Instant },
): Promise<boolean> {
  const row = column.one(
    await linkOf(tx).rows(RENEW, [...HOSTED_CONNECTIONS.cells({ keyId, since: now, until }), now]),
  );
  return row !== undefined && column.time(row, 'since') === now;
}

const UNTIL = statement('SELECT until FROM hosted_connections WHERE key_id = ?');

/** Until when it counts; undefined when there never was one. */
export async function connectedUntil(db: Reader, keyId: KeyId): Promise<Instant | undefined> {
  const row = column.one(await linkOf(db).rows(UNTIL, [keyId]));
  return row && column.time(row, 'until');
}

const END = statement('UPDATE hosted_connections SET until = ? WHERE key_id = ? AND until > ?');

export async function endConnection(tx: Writer, keyId: KeyId, now: Instant): Promise<void> {
  await linkOf(tx).rows(END, [now, keyId, now]);
}

const LOST = statement(`
  SELECT a.key_id FROM hosted_agents a LEFT JOIN hosted_connections c ON c.key_id = a.key_id
  WHERE a.via = 'connect' AND a.live = 1 AND coalesce(c.until, 0) <= ? LIMIT ?`);

/** Agents that are listed as live and whose connection is gone. */
export async function lostConnections(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly KeyId[]> {
  const rows = await linkOf(db).rows(LOST, [now, limit]);
  return rows.map((row) => column.text(row, 'key_id') as KeyId);
}

const SHOW = statement(`
  UPDATE listings SET availability = ?, availability_note = ?, answers = ?,
    missing_since = CASE WHEN ? = 1 THEN NULL ELSE coalesce(missing_since, ?) END,
    last_seen_at = CASE WHEN ? = 1 THEN ? ELSE last_seen_at END,
    changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
  WHERE id = (SELECT listing_id FROM hosted_agents WHERE key_id = ? AND via = 'connect')`);
const SHOWN = statement(`SELECT availability FROM listings
  WHERE id = (SELECT listing_id FROM hosted_agents WHERE key_id = ? AND via = 'connect')`);
const MARK = statement(`
  UPDATE hosted_agents SET live = ?, why = ?
  WHERE key_id = ? AND via = 'connect' AND taken_down_at IS NULL`);

/** A connection says at once whether its agent can be called; no look has to find out. */
export async function showConnection(
  tx: Writer,
  keyId: KeyId,
  { live, why, at }: { readonly live: boolean; readonly why: string; readonly at: Instant },
): Promise<void> {
  const one = live ? 1 : 0;
  const availability = live ? 'live' : 'unreachable';
  // The agent is locked before its listing, as by every other unit that writes both.
  await linkOf(tx).rows(MARK, [one, why, keyId]);
  const before = column.one(await linkOf(tx).rows(SHOWN, [keyId]));
  if (before !== undefined) {
    const was = before['availability'] === 'live' ? 1 : 0;
    await noteCounts(tx, { listed: 0, live: one - was, x402: 0 }, at);
  }
  await linkOf(tx).rows(SHOW, [availability, why, one, one, at, one, at, at, at, keyId]);
}
