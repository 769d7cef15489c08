import type { Instant } from '../../domain/instant.ts';
import type { AccessClass, Availability } from '../../domain/registry/listing.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';

/** Counts over the index and the crawler's work (interface, stats). */
export interface IndexCounts {
  readonly listings: number;
  readonly origins: number;
  readonly a2a: number;
  readonly mcp: number;
  readonly hosted: number;
  readonly claimed: number;
  readonly provenDomains: number;
  readonly skills: number;
  readonly skillsProbed: number;
  readonly skillsPriced: number;
  readonly x402: number;
  readonly verifiedOpen: number;
  readonly availability: ReadonlyMap<Availability, number>;
  readonly access: ReadonlyMap<AccessClass, number>;
  readonly added24h: number;
  readonly lost24h: number;
}

export interface CrawlCounts {
  readonly looks24h: number;
  readonly submissions24h: number;
  readonly waiting: number;
  readonly medianAgeSeconds: number;
  readonly oldestAgeSeconds: number;
  readonly lastLookAt?: Instant;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const count = (name: string, when: string): string =>
  `coalesce(sum(CASE WHEN ${when} THEN 1 ELSE 0 END), 0) AS ${name}`;
/** Over the index `listings_counted` alone. */
const GROUPS = statement(`
  SELECT availability, access, count(*) AS listings, ${count('a2a', `kind = 'a2a'`)},
    coalesce(sum(skill_count), 0) AS skills, coalesce(sum(skills_priced), 0) AS skills_priced,
    ${count('x402', 'quotes_x402 = 1')}, ${count('verified_open', 'verified_open = 1')},
    ${count('added', 'first_seen_at > ?')}, ${count('lost', 'missing_since > ?')}
  FROM listings GROUP BY availability, access`);
const ORIGINS = statement(
  'SELECT count(*) AS origins FROM (SELECT DISTINCT origin FROM listings) AS o',
);
const HELD = statement(`
  SELECT count(*) AS claimed, ${count('hosted', `verification = 'hosted'`)},
    count(DISTINCT CASE WHEN verification IN ('dns', 'well-known') THEN host END) AS domains
  FROM listings WHERE passport_key_id IS NOT NULL`);
const PROBED = statement(
  'SELECT count(*) AS probed FROM listing_skills WHERE access_checked_at IS NOT NULL',
);

export async function indexCounts(db: Reader, now: Instant): Promise<IndexCounts> {
  const link = linkOf(db);
  const groups = await link.rows(GROUPS, [now - DAY_MS, now - DAY_MS]);
  const total = (name: string): number =>
    groups.reduce((sum, row) => sum + Number(column.signed(row, name)), 0);
  const by = <Name extends string>(name: string): ReadonlyMap<Name, number> => {
    const counts = new Map<Name, number>();
    for (const row of groups) {
      const key = column.text(row, name) as Name;
      counts.set(key, (counts.get(key) ?? 0) + column.whole(row, 'listings'));
    }
    return counts;
  };
  const origins = only(await link.rows(ORIGINS, []));
  const held = only(await link.rows(HELD, []));
  const probed = only(await link.rows(PROBED, []));
  return {
    listings: total('listings'),
    origins: column.whole(origins, 'origins'),
    a2a: total('a2a'),
    mcp: total('listings') - total('a2a'),
    hosted: column.whole(held, 'hosted'),
    claimed: column.whole(held, 'claimed'),
    provenDomains: column.whole(held, 'domains'),
    skills: total('skills'),
    skillsProbed: column.whole(probed, 'probed'),
    skillsPriced: total('skills_priced'),
    x402: total('x402'),
    verifiedOpen: total('verified_open'),
    availability: by<Availability>('availability'),
    access: by<AccessClass>('access'),
    added24h: total('added'),
    lost24h: total('lost'),
  };
}

const CRAWLED = statement(`
  SELECT coalesce(sum(looks), 0) AS looks, coalesce(sum(submissions), 0) AS submissions
  FROM crawl_hours WHERE hour > ?`);
const WAITING = statement('SELECT count(*) AS waiting FROM crawl_targets WHERE next_look_at <= ?');
const AGES = statement(`
  SELECT min(last_checked_at) AS oldest, max(last_checked_at) AS newest,
    (SELECT last_checked_at FROM listings ORDER BY last_checked_at
      LIMIT 1 OFFSET (SELECT count(*) / 2 FROM listings)) AS middle
  FROM listings`);

export async function crawlCounts(db: Reader, now: Instant): Promise<CrawlCounts> {
  const link = linkOf(db);
  const hour = Math.floor((now - DAY_MS) / HOUR_MS);
  const crawled = only(await link.rows(CRAWLED, [hour]));
  const waiting = only(await link.rows(WAITING, [now]));
  const ages = only(await link.rows(AGES, []));
  const newest = column.timeOrNull(ages, 'newest');
  const ageOf = (name: string): number => {
    const at = column.timeOrNull(ages, name);
    return at === null ? 0 : Math.max(0, Math.floor((now - at) / 1000));
  };
  return {
    looks24h: Number(column.signed(crawled, 'looks')),
    submissions24h: Number(column.signed(crawled, 'submissions')),
    waiting: column.whole(waiting, 'waiting'),
    medianAgeSeconds: ageOf('middle'),
    oldestAgeSeconds: ageOf('oldest'),
    ...(newest !== null && { lastLookAt: newest }),
  };
}

function only(rows: readonly Row[]): Row {
  const row = column.one(rows);
  if (row === undefined) throw new Error('a count has a row');
  return row;
}
