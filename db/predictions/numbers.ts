import { instant, type Instant } from '../../domain/instant.ts';
import type { Metric, Sample } from '../../domain/predictions/model.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import { earnedIn } from '../ledger/earned.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Statement, Value } from '../connection.ts';

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
  readonly network: NetworkId;
  readonly last: Instant;
  readonly since: Instant;
}

const IN_STATE = statement(`SELECT
    (SELECT count(*) FROM tasks WHERE state = ? AND network = ?)
  - (SELECT count(*) FROM tasks WHERE state = ? AND network = ?
      AND id IN (SELECT task_id FROM task_events WHERE at > ?))
  + (SELECT count(*) FROM tasks AS t WHERE t.network = ?
      AND t.id IN (SELECT task_id FROM task_events WHERE at > ?)
      AND ? = (SELECT v.state FROM task_events AS v WHERE v.task_id = t.id AND v.at <= ?
        ORDER BY v.seq DESC LIMIT 1)) AS value`);

const inState =
  (state: 'open' | 'disputed') =>
  (db: Reader, { network, last }: Past): Promise<bigint> =>
    one(db, IN_STATE, [state, network, state, network, last, network, last, state, last]);

const LATER_MOVES = `(SELECT coalesce(sum(e.delta), 0) FROM entries AS e
  WHERE e.account_id = a.id AND e.kind = 'move' AND e.at > ?)`;
const balanceOf = (which: string): string => `SELECT
  CAST(coalesce(sum(a.posted - ${LATER_MOVES}), 0) AS TEXT) AS value
  FROM accounts AS a WHERE a.network = ? AND a.asset = '${ASSET}' AND ${which}`;
const FEES = statement(balanceOf(`a.name = 'hub:fees'`));
const OUTSIDE = statement(balanceOf(`a.class = 'external'`));

const SEATED = statement(`SELECT count(DISTINCT s.account) AS value
  FROM seats AS s JOIN commitments AS c ON c.ref_kind = 'seat' AND c.ref_id = s.id
    LEFT JOIN transfers AS x ON x.seq = c.closed_by
  WHERE s.network = ? AND c.kind = 'stake' AND c.opened_at <= ?
    AND (c.closed_by IS NULL OR x.at > ?)`);

const SERVED = `FROM calls AS c WHERE c.ended_at > ? AND c.ended_at <= ?
  AND c.id IN (SELECT call_id FROM call_attempts WHERE at > ?)`;
const CALLS_OK = statement(`SELECT coalesce(sum((SELECT count(*) FROM call_attempts AS a
    WHERE a.call_id = c.id AND a.linked = 0 AND a.ended = 'ok')), 0) AS value ${SERVED}`);
const CALLS_VOLUME = statement(`SELECT CAST(coalesce(sum(c.cost), 0) AS TEXT) AS value ${SERVED}
    AND c.network = ? AND c.outcome = 'served' AND NOT EXISTS
      (SELECT 1 FROM call_attempts AS a WHERE a.call_id = c.id AND a.linked = 1)`);

const HANDS = statement(`SELECT count(*) AS value
  FROM poker_hands AS h JOIN poker_tables AS t ON t.id = h.table_id
  WHERE t.network = ? AND h.ended_at > ? AND h.ended_at <= ?`);
const MARKETS = statement(`SELECT count(*) AS value FROM markets
  WHERE network = ? AND created_at <= ? AND closes_at > ?`);

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
  'fees.pool': (db, { network, last }) => one(db, FEES, [last, network]),
  'supply.total': async (db, { network, last }) => -(await one(db, OUTSIDE, [last, network])),
  'disputes.open': inState('disputed'),
  'validators.seated': (db, { network, last }) => one(db, SEATED, [network, last, last]),
  'calls.ok.24h': (db, { last, since }) =>
    one(db, CALLS_OK, [since, last, instant(since - CALL_MS_MAX)]),
  'calls.volume.24h': (db, { network, last, since }) =>
    one(db, CALLS_VOLUME, [since, last, instant(since - CALL_MS_MAX), network]),
  'poker.hands.24h': (db, { network, last, since }) => one(db, HANDS, [network, since, last]),
  'markets.open': (db, { network, last }) => one(db, MARKETS, [network, last, instant(last + 1)]),
  async 'time.head'(db, { last }) {
    const head = await one(db, HEAD, [last]);
    return head < 0n ? 0n : head;
  },
  'time.gaps.7d': (db, { last }) => one(db, GAPS, [instant(last - WEEK_MS), last]),
};

function earned(db: Reader, { network, last, since }: Past) {
  return earnedIn(db, { network, asset: ASSET }, { from: since, to: last });
}

/** The number as it stood at `at`, and the pulse that was the next to be issued then. */
export async function numberAt(
  db: Reader,
  metric: Metric,
  network: NetworkId,
  at: Instant,
): Promise<Sample> {
  const last = instant(at - 1);
  const value = await NUMBERS[metric](db, { network, last, since: instant(last - DAY_MS) });
  return { value, at, pulseSeq: Number(await one(db, HEAD, [last])) + 1 };
}

async function one(db: Reader, text: Statement, values: readonly Value[]): Promise<bigint> {
  const found = column.one(await linkOf(db).rows(text, values));
  if (found === undefined) throw new Error('a count has a row');
  return column.signed(found, 'value');
}
