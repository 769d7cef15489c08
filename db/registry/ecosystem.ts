import type { Instant } from '../../domain/instant.ts';
import type { FeedKind } from '../../domain/registry/crawlFeed.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** How much of what each feed named in a month is listed and answers now. */
export interface EcosystemRow {
  readonly feed: string;
  readonly kind: FeedKind;
  readonly month: string;
  readonly names: number;
  readonly probed: number;
  readonly listed: number;
  readonly answering: number;
  readonly speaksMcp: number;
  readonly needsAuthorisation: number;
  readonly charges: number;
  readonly watched30d: number;
  readonly up30d: number;
}

const UP_BPS = 9_900;
const WATCHED_MS = 30 * 86_400_000;
const ROWS_MAX = 5_000;

const textOf = (month: string): string => {
  const of = (condition: string): string => `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  return `
    SELECT p.feed AS feed, f.kind AS kind, ${month} AS month, count(*) AS names,
        ${of('a.url IS NOT NULL OR l.id IS NOT NULL')} AS probed,
        ${of('l.id IS NOT NULL')} AS listed,
        ${of('l.answers = 1')} AS answering,
        ${of("l.answers = 1 AND l.kind = 'mcp'")} AS speaks_mcp,
        ${of("l.answers = 1 AND l.access = 'auth-required'")} AS needs_authorisation,
        ${of(`EXISTS (SELECT 1 FROM quotes WHERE endpoint = p.url)
          OR l.answers = 1 AND (l.access = 'paid' OR l.quotes_x402 = 1)`)} AS charges,
        ${of('l.first_seen_at <= g.before')} AS watched,
        ${of(`l.answers = 1 AND l.first_seen_at <= g.before AND l.uptime_bps >= ${UP_BPS}`)} AS up
      FROM crawl_proposals AS p
      JOIN crawl_feeds AS f ON f.url = p.feed
      CROSS JOIN (SELECT CAST(? AS BIGINT) AS before) AS g
      LEFT JOIN crawl_addresses AS a ON a.url = p.url
      LEFT JOIN listings AS l ON l.id = (
        SELECT id FROM listings WHERE endpoint = p.url ORDER BY answers DESC, id LIMIT 1)
      GROUP BY p.feed, f.kind, ${month} ORDER BY p.feed, ${month} LIMIT ${ROWS_MAX}`;
};
const ROWS = statement(
  textOf(`strftime('%Y-%m', p.first_at / 1000, 'unixepoch')`),
  textOf(`to_char(to_timestamp(p.first_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`),
);

export async function ecosystemRows(db: Reader, now: Instant): Promise<readonly EcosystemRow[]> {
  return (await linkOf(db).rows(ROWS, [now - WATCHED_MS])).map((row) => ({
    feed: column.text(row, 'feed'),
    kind: column.text(row, 'kind') as FeedKind,
    month: column.text(row, 'month'),
    names: column.whole(row, 'names'),
    probed: column.whole(row, 'probed'),
    listed: column.whole(row, 'listed'),
    answering: column.whole(row, 'answering'),
    speaksMcp: column.whole(row, 'speaks_mcp'),
    needsAuthorisation: column.whole(row, 'needs_authorisation'),
    charges: column.whole(row, 'charges'),
    watched30d: column.whole(row, 'watched'),
    up30d: column.whole(row, 'up'),
  }));
}
