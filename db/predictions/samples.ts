import { instant, type Instant } from '../../domain/instant.ts';
import type { Metric, Sample } from '../../domain/market/model.ts';
import { NETWORK_IDS, type NetworkId } from '../../domain/network.ts';
import { earnedIn } from '../ledger/earned.ts';
import { exchangeCounts } from '../exchangeCounts.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Statement, Value, Writer } from '../connection.ts';

/**
 * Hub numbers, sampled once a minute (choices predictions.checks). What can be counted by network
 * is; a market asks for its own. Work and calls between linked accounts are in no number.
 */
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const ASSET = 'USDC';

export function minuteOf(at: Instant): Instant {
  return instant(Math.floor(at / MINUTE_MS) * MINUTE_MS);
}

const HUB_WIDE = statement(`SELECT
  (SELECT count(*) FROM listings) AS total,
  (SELECT count(*) FROM listings WHERE availability = 'live') AS live,
  (SELECT count(*) FROM listings WHERE quotes_x402 = 1) AS x402,
  (SELECT coalesce(max(seq), 0) FROM time_pulses) AS head,
  (SELECT count(*) FROM time_pulses WHERE minute > ? AND minute - before_minute > ${MINUTE_MS})
    AS gaps`);
const OF_NETWORK = statement(`SELECT
  (SELECT count(*) FROM tasks WHERE state = 'open' AND network = ?) AS tasks_open,
  (SELECT CAST(coalesce(sum(posted), 0) AS TEXT) FROM accounts
    WHERE network = ? AND name = 'hub:fees') AS fees,
  (SELECT CAST(-coalesce(sum(posted), 0) AS TEXT) FROM accounts
    WHERE network = ? AND class = 'external') AS supply,
  (SELECT count(*) FROM tasks WHERE state = 'disputed' AND network = ?) AS disputes,
  (SELECT count(*) FROM seats WHERE state = 'seated' AND network = ?) AS seated,
  (SELECT count(*) FROM markets WHERE state = 'open' AND network = ? AND closes_at > ?) AS markets,
  (SELECT count(*) FROM poker_hands h JOIN poker_tables t ON t.id = h.table_id
    WHERE t.network = ? AND h.ended_at > ?) AS poker_hands,
  (SELECT CAST(coalesce(sum(c.cost), 0) AS TEXT) FROM calls c
    WHERE c.network = ? AND c.outcome = 'served' AND c.ended_at > ? AND NOT EXISTS
      (SELECT 1 FROM call_attempts a WHERE a.call_id = c.id AND a.linked = 1)) AS calls_volume`);

type Numbers = Readonly<Record<string, string>>;

/** Every number now, by its name and, where it is of a network, the network. */
export async function countNumbers(db: Reader, now: Instant): Promise<Numbers> {
  const since = instant(now - DAY_MS);
  const wide = await row(db, HUB_WIDE, [now - WEEK_MS]);
  const { callsOk } = await exchangeCounts(db, since);
  const numbers: Record<string, string> = {
    'agents.total': whole(wide, 'total'),
    'agents.live': whole(wide, 'live'),
    'agents.x402': whole(wide, 'x402'),
    'calls.ok.24h': `${callsOk}`,
    'time.head': whole(wide, 'head'),
    'time.gaps.7d': whole(wide, 'gaps'),
  };
  for (const network of NETWORK_IDS) {
    const five = new Array<string>(5).fill(network);
    // A market is closed at its moment, also before the clock of the markets has come by.
    const values = [...five, network, now, network, since, network, since];
    const of = await row(db, OF_NETWORK, values);
    const earned = await earnedIn(db, { network, asset: ASSET }, { from: since, to: now });
    const { paidNet, hubFees, judgesFees, tasksPaid } = earned;
    Object.assign(numbers, {
      [named('tasks.open', network)]: whole(of, 'tasks_open'),
      [named('tasks.paid.24h', network)]: `${tasksPaid}`,
      [named('volume.settled.24h', network)]: `${paidNet + hubFees + judgesFees}`,
      [named('fees.pool', network)]: whole(of, 'fees'),
      [named('supply.total', network)]: whole(of, 'supply'),
      [named('disputes.open', network)]: whole(of, 'disputes'),
      [named('validators.seated', network)]: whole(of, 'seated'),
      [named('calls.volume.24h', network)]: whole(of, 'calls_volume'),
      [named('poker.hands.24h', network)]: whole(of, 'poker_hands'),
      [named('markets.open', network)]: whole(of, 'markets'),
    });
  }
  return numbers;
}

function named(metric: Metric, network: NetworkId): string {
  return `${metric} ${network}`;
}

async function row(db: Reader, text: Statement, values: readonly Value[]): Promise<Row> {
  const found = column.one(await linkOf(db).rows(text, values));
  if (found === undefined) throw new Error('a count has a row');
  return found;
}

function whole(found: Row, name: string): string {
  return `${column.signed(found, name)}`;
}

const NEWEST = statement('SELECT coalesce(max(minute), 0) AS newest FROM metric_samples');
const NEXT_PULSE = statement('SELECT coalesce(max(seq) + 1, 0) AS next FROM time_pulses');
const INSERT = statement(`INSERT INTO metric_samples (minute, at, pulse_seq, numbers)
  VALUES (?, ?, ?, ?) ON CONFLICT (minute) DO NOTHING`);

/** The newest minute that has a sample, which a clock that was set back has still to come to. */
export async function newestSampled(db: Reader): Promise<Instant> {
  const found = column.one(await linkOf(db).rows(NEWEST, []));
  return found === undefined ? instant(0) : column.time(found, 'newest');
}

/** The first sample of a minute is the one that stands; its pulse is the next to be issued. */
export async function saveSample(tx: Writer, numbers: Numbers, now: Instant): Promise<void> {
  const next = column.one(await linkOf(tx).rows(NEXT_PULSE, []));
  const pulse = next === undefined ? 0 : Number(column.signed(next, 'next'));
  await linkOf(tx).rows(INSERT, [minuteOf(now), now, pulse, JSON.stringify(numbers)]);
}

const OF_MINUTE = statement('SELECT * FROM metric_samples WHERE minute = ?');

/** The number in the minute that contains `at`; undefined when it was not sampled. */
export async function sampleOf(
  db: Reader,
  metric: Metric,
  network: NetworkId,
  at: Instant,
): Promise<Sample | undefined> {
  const found = column.one(await linkOf(db).rows(OF_MINUTE, [minuteOf(at)]));
  if (found === undefined) return undefined;
  const numbers = JSON.parse(column.text(found, 'numbers')) as Numbers;
  const value = numbers[named(metric, network)] ?? numbers[metric];
  if (value === undefined) return undefined;
  return {
    value: BigInt(value),
    at: column.time(found, 'at'),
    pulseSeq: column.whole(found, 'pulse_seq'),
  };
}

const RETIRE = statement('DELETE FROM metric_samples WHERE minute < ? OR minute > ?');
/** Longer than any market waits for its sample. */
const KEPT_MS = 8 * DAY_MS;

/**
 * Drops what no market waits for, and what was sampled in minutes that are yet to come since the
 * clock was set back: nobody may know the number of a minute before it.
 */
export async function retireSamples(tx: Writer, now: Instant): Promise<void> {
  await linkOf(tx).rows(RETIRE, [now - KEPT_MS, minuteOf(now)]);
}
