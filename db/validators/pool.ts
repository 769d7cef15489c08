import type { Account } from '../../domain/account.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EligibleSeat } from '../../domain/validators/panel.ts';
import { stakeFor } from '../../domain/validators/seat.ts';
import * as column from '../batch/columns.ts';
import { rowsAsJson, textsIn } from '../batch/jsonSql.ts';
import { lookup } from '../batch/lookup.ts';
import type { Decider } from '../batch/transaction.ts';
import { LINKS_AMONG } from '../tasks/linkLookups.ts';
import { groupsBy, type Link } from '../tasks/links.ts';

/** The requirements of a draw for a seat. */
export interface Wanted {
  readonly network: NetworkId;
  /** The amount that is decided about; nothing on unpaid work. */
  readonly reward: Atomic;
  readonly requiredSkills: readonly string[];
  /** Accounts that take part; neither they nor any account linked to them may judge. */
  readonly parties: readonly Account[];
}

/** A draw is among at most these many; with more of them the largest stakes are taken. */
const POOL_MAX = 500;

type SeatCells = readonly [
  account: Account,
  stake: number,
  minFeeBps: number,
  reliabilityBps: number | null,
];

/** Seats that may be drawn, with links, as the batch read them; drawn ones are locked later. */
export const PANEL_POOLS = lookup('panel_pool', {
  by: {
    network: column.network(),
    stake: column.amount(),
    skills: column.json<readonly string[]>(),
    parties: column.json<readonly Account[]>(),
  },
  found: { seats: column.json<readonly SeatCells[]>(), links: column.json<readonly Link[]>() },
  sql({ network, stake, skills, parties }, dialect) {
    const seats = `SELECT account, stake, min_fee_bps, (SELECT reliability_bps
        FROM judge_records AS j WHERE j.account = seats.account) AS reliability_bps FROM seats
      WHERE state = 'seated' AND paused IS NULL AND network = ${network} AND stake >= ${stake}
        AND NOT EXISTS (SELECT 1 FROM moderation_decisions AS d WHERE d.subject = 'account'
          AND d.subject_id = seats.account AND d.lifted_at IS NULL)
        AND (skill IS NULL OR skill IN (${textsIn(skills, dialect)}))
      ORDER BY stake DESC, account LIMIT ${POOL_MAX}`;
    const among = `SELECT account FROM (${seats}) AS seat
      UNION SELECT text FROM (${textsIn(parties, dialect)}) AS party`;
    return {
      seats: rowsAsJson('account, stake, min_fee_bps, reliability_bps', seats, dialect),
      links: rowsAsJson('account, other', LINKS_AMONG(among), dialect),
    };
  },
});

/** Every seat that may be drawn (choices validators.ceiling), whatever share it asks for. */
export function eligibleSeats(db: Decider, wanted: Wanted): readonly EligibleSeat[] {
  const { network, reward, requiredSkills: skills, parties } = wanted;
  const found = db.find(PANEL_POOLS, { network, stake: stakeFor(reward), skills, parties });
  const seats = found?.seats ?? [];
  const groups = groupsBy([...parties, ...seats.map(([account]) => account)], found?.links ?? []);
  const excluded = new Set(parties.map((party) => groups.get(party)));
  return seats.flatMap(([account, stake, minFeeBps, reliabilityBps]) => {
    const group = groups.get(account) ?? account;
    const seat = { account, stake: atomic(BigInt(stake)), minFeeBps };
    const measured = reliabilityBps === null ? {} : { reliabilityBps };
    return excluded.has(group) ? [] : [{ seat, group, ...measured }];
  });
}
