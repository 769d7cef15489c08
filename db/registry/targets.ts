import type { Instant } from '../../domain/instant.ts';
import { backOffAt, submissionWait } from '../../domain/registry/schedule.ts';
import {
  withSeedUrl,
  type FoundBy,
  type SeedUrl,
  type CrawlReport,
  type RobotsSeen,
  type Target,
} from '../../domain/registry/target.ts';
import { earliest, plus } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

const APART = { apart: 'about no account' };

/** Origins that the crawler looks at, who looks at each now, and what the last look said. */
export const CRAWL_TARGETS = table(
  'crawl_targets',
  {
    origin: column.text().key(),
    host: column.text(),
    foundBy: column.text<FoundBy>(),
    firstSeenAt: column.moment(),
    hints: column.json<readonly SeedUrl[]>(),
    submissions: column.integer(),
    submittedAt: column.moment().optional(),
    backOff: column.integer(),
    nextLookAt: column.moment(),
    regularLookAt: column.moment().optional(),
    failures: column.integer(),
    claim: column.text().optional().counted(),
    claimedUntil: column.moment().optional().counted(),
    lastLookAt: column.moment().optional(),
    outcome: column.text<'listed' | 'not-listed'>().optional(),
    report: column.json<CrawlReport>().optional(),
    robots: column.json<RobotsSeen>().optional(),
  },
  { use: 'single', personal: APART },
);

export const CRAWL_HOURS = table(
  'crawl_hours',
  { hour: column.integer().key(), looks: column.integer(), submissions: column.integer() },
  { use: 'single', personal: APART },
);

/** An origin that was never looked at. */
export function newTarget({ origin, host, foundBy, now }: Omit<Submission, 'hint'>): Target {
  const never = { hints: [], submissions: 0, backOff: 0, failures: 0 };
  return { origin, host, foundBy, firstSeenAt: now, nextLookAt: now, ...never };
}

const BY_ORIGIN = statement('SELECT * FROM crawl_targets WHERE origin = ?');

export async function readTarget(db: Reader, origin: string): Promise<Target | undefined> {
  const row = one(await linkOf(db).rows(BY_ORIGIN, [origin]));
  return row && CRAWL_TARGETS.fromRow(row);
}

const BY_HOST = statement('SELECT * FROM crawl_targets WHERE host = ? ORDER BY origin LIMIT 10');

export async function targetsOfHost(db: Reader, host: string): Promise<readonly Target[]> {
  return (await linkOf(db).rows(BY_HOST, [host])).map(CRAWL_TARGETS.fromRow);
}

const ADD = statement(`
  ${CRAWL_TARGETS.insertion} ON CONFLICT (origin) DO UPDATE SET host = excluded.host RETURNING *`);
const SUBMIT = statement(`
  UPDATE crawl_targets SET hints = ?, submissions = submissions + 1, submitted_at = ?, back_off = ?,
      next_look_at = ?
    WHERE origin = ? RETURNING *`);

export interface Submission {
  readonly origin: string;
  readonly host: string;
  readonly foundBy: FoundBy;
  readonly hint?: SeedUrl;
  readonly now: Instant;
  /** It is looked at without a back-off, which stays as it is for others. */
  readonly isOwner?: boolean;
}

/**
 * Takes an origin for a look, now or after its back-off (choices registry.submissions): a look that
 * is due anyway before that stays where it is. Ringing `CRAWL_TOPIC` is the caller's.
 */
export async function submitTarget(tx: Writer, given: Submission): Promise<Target> {
  const { origin, hint, now, isOwner = false } = given;
  const added = one(await linkOf(tx).rows(ADD, CRAWL_TARGETS.cells(newTarget(given))));
  if (added === undefined) throw new Error('an upsert answers its row');
  const known = CRAWL_TARGETS.fromRow(added);
  const step = isOwner ? 0 : backOffAt(known, now);
  const asked = plus(now, submissionWait(step));
  const next = known.regularLookAt === undefined ? asked : earliest(asked, known.regularLookAt);
  const named = hint && { ...hint, submittedAt: now };
  const hints = JSON.stringify(withSeedUrl(known.hints, named));
  const row = one(
    await linkOf(tx).rows(SUBMIT, [hints, now, isOwner ? known.backOff : step + 1, next, origin]),
  );
  if (row === undefined) throw new Error('the row that was just locked is there');
  await countHour(tx, now, 'submissions');
  return CRAWL_TARGETS.fromRow(row);
}

const CLAIM = statement(
  `UPDATE crawl_targets SET claim = ?, claimed_until = ? WHERE origin IN (
      SELECT origin FROM crawl_targets
        WHERE next_look_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)
        ORDER BY next_look_at, origin LIMIT ?)
    RETURNING *`,
  `UPDATE crawl_targets SET claim = ?, claimed_until = ? WHERE origin IN (
      SELECT origin FROM crawl_targets
        WHERE next_look_at <= ? AND (claimed_until IS NULL OR claimed_until <= ?)
        ORDER BY next_look_at, origin LIMIT ? FOR UPDATE SKIP LOCKED)
    RETURNING *`,
);

export interface Claim {
  /** Names the look, so that one that lasted too long cannot end another's. */
  readonly claim: string;
  readonly until: Instant;
  readonly now: Instant;
  readonly limit: number;
}

/** Claims targets that are due, each for one process; one whose look was killed is due again. */
export async function claimTargets(
  tx: Writer,
  { claim, until, now, limit }: Claim,
): Promise<readonly Target[]> {
  return (await linkOf(tx).rows(CLAIM, [claim, until, now, now, limit])).map(CRAWL_TARGETS.fromRow);
}

const CLAIM_ONE = statement(`
  UPDATE crawl_targets SET claim = ?, claimed_until = ?, hints = ?
    WHERE origin = ? AND (claimed_until IS NULL OR claimed_until <= ?) RETURNING *`);

export interface ClaimOne extends Omit<Claim, 'limit'> {
  readonly origin: string;
  readonly host: string;
  readonly hint: SeedUrl;
}

/** Claims one origin out of turn, new or known. Returns undefined while another crawl has it. */
export async function claimTarget(tx: Writer, wanted: ClaimOne): Promise<Target | undefined> {
  const { origin, host, hint, claim, until, now } = wanted;
  const fresh = newTarget({ origin, host, foundBy: 'submission', now });
  const added = one(await linkOf(tx).rows(ADD, CRAWL_TARGETS.cells(fresh)));
  if (added === undefined) throw new Error('an upsert answers its row');
  const hints = JSON.stringify(withSeedUrl(CRAWL_TARGETS.fromRow(added).hints, hint));
  const row = one(await linkOf(tx).rows(CLAIM_ONE, [claim, until, hints, origin, now]));
  return row && CRAWL_TARGETS.fromRow(row);
}

const RELEASE = statement(
  'UPDATE crawl_targets SET claim = NULL, claimed_until = NULL WHERE origin = ? AND claim = ?',
);

/** Releases a claimed target that was not probed. */
export async function releaseTarget(tx: Writer, origin: string, claim: string): Promise<void> {
  await linkOf(tx).rows(RELEASE, [origin, claim]);
}

const FINISH = statement(`
  UPDATE crawl_targets SET claim = NULL, claimed_until = NULL, last_look_at = ?, next_look_at = ?,
      regular_look_at = ?, failures = ?, outcome = ?, report = ?, robots = coalesce(?, robots)
    WHERE origin = ? AND claim = ? RETURNING origin`);

export interface Finished {
  readonly origin: string;
  readonly claim: string;
  readonly now: Instant;
  readonly nextLookAt: Instant;
  readonly failures: number;
  readonly outcome: 'listed' | 'not-listed';
  readonly report: CrawlReport;
  readonly robots: RobotsSeen | undefined;
}

/** Ends a look; false when another has claimed the target since, whose look counts then. */
export async function finishTarget(tx: Writer, done: Finished): Promise<boolean> {
  const { now, nextLookAt, failures, outcome, report, robots, origin, claim } = done;
  const rows = await linkOf(tx).rows(FINISH, [
    now,
    nextLookAt,
    nextLookAt,
    failures,
    outcome,
    JSON.stringify(report),
    robots === undefined ? null : JSON.stringify(robots),
    origin,
    claim,
  ]);
  if (rows.length === 0) return false;
  await countHour(tx, now, 'looks');
  return true;
}

const HOUR_MS = 3_600_000;
const COUNT_HOUR = statement(`
  ${CRAWL_HOURS.insertion} ON CONFLICT (hour) DO UPDATE SET looks = crawl_hours.looks + excluded.looks,
    submissions = crawl_hours.submissions + excluded.submissions`);

async function countHour(tx: Writer, now: Instant, what: 'looks' | 'submissions'): Promise<void> {
  const hour = Math.floor(now / HOUR_MS);
  const counts = { looks: 0, submissions: 0, [what]: 1 };
  await linkOf(tx).rows(COUNT_HOUR, CRAWL_HOURS.cells({ hour, ...counts }));
}

const FORGET = statement(`
  DELETE FROM crawl_targets WHERE origin IN (
    SELECT origin FROM crawl_targets
      WHERE outcome = 'not-listed' AND failures > 6 AND coalesce(submitted_at, first_seen_at) < ?
        AND origin NOT IN (SELECT origin FROM listings)
      LIMIT ?)
  RETURNING origin`);

/** Drops origins where nothing was ever found, a month after they were last named. */
export async function forgetTargets(tx: Writer, before: Instant, limit: number): Promise<number> {
  return (await linkOf(tx).rows(FORGET, [before, limit])).length;
}
