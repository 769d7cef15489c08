import { instant, type Instant } from '../../domain/instant.ts';
import type { Metric, Sample } from '../../domain/predictions/model.ts';
import { ASSET, NETWORK_IDS, type NetworkId } from '../../domain/network.ts';
import { earnedIn } from '../ledger/earned.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Statement, Value } from '../connection.ts';
import { inListStatement } from '../inList.ts';

/**
 * The hub's numbers at a past moment (choices predictions.checks), the same whenever they are
 * counted: records have times, and later changes are subtracted where a table has only the present.
 * Work and calls between accounts linked at that moment do not count.
 */
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A call ends at most this long after its attempt began. */
const CALL_MS_MAX = DAY_MS / 24;

/** The moment: `last` is the last millisecond that counts. */
interface Past {
  readonly networks: readonly NetworkId[];
  readonly last: Instant;
  readonly since: Instant;
}

/** Unpaid work is of no network, so it counts on each. */
const IN_STATE = inListStatement((given) => {
  const isCounted = `(network ${given} OR network IS NULL)`;
  return `SELECT
    (SELECT count(*) FROM tasks WHERE state = ? AND ${isCounted})
  - (SELECT count(*) FROM tasks WHERE state = ? AND ${isCounted}
      AND id IN (SELECT task_id FROM task_events WHERE at > ?))
  + (SELECT count(*) FROM tasks AS t WHERE ${isCounted}
      AND t.id IN (SELECT task_id FROM task_events WHERE at > ?)
      AND ? = (SELECT v.state FROM task_events AS v WHERE v.task_id = t.id AND v.at <= ?
        ORDER BY v.seq DESC LIMIT 1)) AS value`;
});

const inState =
  (state: 'open' | 'disputed') =>
  (db: Reader, { networks, last }: Past): Promise<bigint> =>
    one(db, IN_STATE, [state, networks, state, networks, last, networks, last, state, last]);

const LATER_MOVES = `(SELECT coalesce(sum(e.delta), 0) FROM entries AS e
  WHERE e.account_id = a.id AND e.kind = 'move' AND e.at > ?)`;
const balanceOf = (which: string): Statement =>
  inListStatement(
    (given) => `SELECT
  CAST(coalesce(sum(a.posted - ${LATER_MOVES}), 0) AS TEXT) AS value
  FROM accounts AS a WHERE a.network ${given} AND a.asset = '${ASSET}' AND ${which}`,
  );
const FEES = balanceOf(`a.name = 'hub:fees'`);
const OUTSIDE = balanceOf(`a.class = 'external'`);

const SEATED = inListStatement(
  (given) => `SELECT count(DISTINCT s.account) AS value
  FROM seats AS s JOIN commitments AS c ON c.ref_kind = 'seat' AND c.ref_id = s.id
    LEFT JOIN transfers AS x ON x.seq = c.closed_by
  WHERE s.network ${given} AND c.kind = 'stake' AND c.opened_at <= ?
    AND (c.closed_by IS NULL OR x.at > ?)`,
);

const SERVED = `FROM calls AS c WHERE c.ended_at > ? AND c.ended_at <= ?
  AND c.id IN (SELECT call_id FROM call_attempts WHERE at > ?)`;
const attempts = (which: string): Statement =>
  statement(`SELECT coalesce(sum((SELECT count(*) FROM call_attempts AS a
    WHERE a.call_id = c.id AND a.linked = 0${which})), 0) AS value ${SERVED}`);
const CALLS = attempts(' AND a.by_rule = 0');
const CALLS_OK = attempts(` AND a.ended = 'ok'`);
const CALLS_VOLUME = inListStatement(
  (given) => `SELECT
    CAST(coalesce(sum(c.cost), 0) AS TEXT) AS value ${SERVED}
    AND c.network ${given} AND c.outcome = 'served' AND NOT EXISTS
      (SELECT 1 FROM call_attempts AS a WHERE a.call_id = c.id AND a.linked = 1)`,
);

const HANDS = inListStatement(
  (given) => `SELECT count(*) AS value
  FROM poker_hands AS h JOIN poker_tables AS t ON t.id = h.table_id
  WHERE t.network ${given} AND h.ended_at > ? AND h.ended_at <= ?`,
);
const MARKETS = inListStatement(
  (given) => `SELECT count(*) AS value FROM markets
  WHERE network ${given} AND created_at <= ? AND closes_at > ?`,
);

/** -1 before the first pulse. */
const HEAD = statement(`SELECT coalesce((SELECT seq FROM time_pulses WHERE issued_at <= ?
  ORDER BY seq DESC LIMIT 1), -1) AS value`);
const GAPS = statement(`SELECT count(*) AS value FROM time_pulses
  WHERE minute > ? AND issued_at <= ? AND minute - before_minute > ${MINUTE_MS}`);

const listed = (now: string, change: string): Statement =>
  statement(`SELECT (SELECT count(*) FROM listings ${now})
    - (SELECT coalesce(sum(${change}), 0) FROM listing_counts WHERE at > ?) AS value`);
const LISTED = listed('', 'listed');
const LIVE = listed(`WHERE availability = 'live'`, 'live');
const X402 = listed('WHERE quotes_x402 = 1', 'x402');

const NUMBERS: Readonly<Record<Metric, (db: Reader, past: Past) => Promise<bigint>>> = {
  'agents.total': (db, { last }) => one(db, LISTED, [last]),
  'agents.live': (db, { last }) => one(db, LIVE, [last]),
  'agents.x402': (db, { last }) => one(db, X402, [last]),
  'tasks.open': inState('open'),
  'tasks.paid.24h': async (db, past) => BigInt((await earned(db, past)).tasksPaid),
  async 'volume.settled.24h'(db, past) {
    const { paidNet, hubFees, judgesFees } = await earned(db, past);
    return paidNet + hubFees + judgesFees;
  },
  'fees.pool': (db, { networks, last }) => one(db, FEES, [last, networks]),
  'supply.total': async (db, { networks, last }) => -(await one(db, OUTSIDE, [last, networks])),
  'disputes.open': inState('disputed'),
  'validators.seated': (db, { networks, last }) => one(db, SEATED, [networks, last, last]),
  'calls.ok.24h': (db, past) => one(db, CALLS_OK, ended(past)),
  'calls.volume.24h': (db, past) => one(db, CALLS_VOLUME, [...ended(past), past.networks]),
  'poker.hands.24h': (db, { networks, last, since }) => one(db, HANDS, [networks, since, last]),
  'markets.open': (db, { networks, last }) => one(db, MARKETS, [networks, last, instant(last + 1)]),
  async 'time.head'(db, { last }) {
    const head = await one(db, HEAD, [last]);
    return head < 0n ? 0n : head;
  },
  'time.gaps.7d': (db, { last }) => one(db, GAPS, [instant(last - WEEK_MS), last]),
};

/** The span in which calls end. */
function ended({ last, since }: Past): readonly Instant[] {
  return [since, last, instant(since - CALL_MS_MAX)];
}

async function earned(db: Reader, { networks, last, since }: Past) {
  const sum = { tasksPaid: 0, paidNet: 0n, hubFees: 0n, judgesFees: 0n };
  for (const network of networks) {
    const of = await earnedIn(db, { network, asset: ASSET }, { from: since, to: last });
    sum.tasksPaid += of.tasksPaid;
    sum.paidNet += of.paidNet;
    sum.hubFees += of.hubFees;
    sum.judgesFees += of.judgesFees;
  }
  return sum;
}

function upTo(last: Instant, networks: readonly NetworkId[]): Past {
  return { networks, last, since: instant(last - DAY_MS) };
}

/** The number as it stood at `at`, and the pulse that was the next to be issued then. */
export async function numberAt(
  db: Reader,
  metric: Metric,
  network: NetworkId,
  at: Instant,
): Promise<Sample> {
  const last = instant(at - 1);
  const value = await NUMBERS[metric](db, upTo(last, [network]));
  return { value, at, pulseSeq: Number(await one(db, HEAD, [last])) + 1 };
}

/** The number as it is now, which a market of this network would be decided by. */
export function numberNow(
  db: Reader,
  metric: Metric,
  network: NetworkId,
  now: Instant,
): Promise<bigint> {
  return NUMBERS[metric](db, upTo(now, [network]));
}

const ACCOUNTS = statement('SELECT count(DISTINCT account) AS value FROM keys');

/** The figures of the exchange over all networks, each by the definition of its metric. */
export async function exchangeNow(db: Reader, now: Instant) {
  const past = upTo(now, NETWORK_IDS);
  const number = async (metric: Metric): Promise<number> => Number(await NUMBERS[metric](db, past));
  return {
    accounts: Number(await one(db, ACCOUNTS, [])),
    tasksOpen: await number('tasks.open'),
    tasksPaid24h: await number('tasks.paid.24h'),
    calls24h: Number(await one(db, CALLS, ended(past))),
    callsOk24h: await number('calls.ok.24h'),
    validatorsSeated: await number('validators.seated'),
    disputesOpen: await number('disputes.open'),
  };
}

async function one(db: Reader, text: Statement, values: readonly Value[]): Promise<bigint> {
  const found = column.one(await linkOf(db).rows(text, values));
  if (found === undefined) throw new Error('a count has a row');
  return column.signed(found, 'value');
}
