import type { Account } from '../../domain/account.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EligibleSeat } from '../../domain/validator/panel.ts';
import { stakeFor } from '../../domain/validator/seat.ts';
import * as column from '../batch/columns.ts';
import { lookup } from '../batch/lookup.ts';
import type { Decider } from '../declared/unit.ts';
import { groupsBy, type Link } from '../tasks/links.ts';

/** What a draw asks of a seat. */
export interface Wanted {
  readonly network: NetworkId;
  /** What is decided about; nothing on unpaid work. */
  readonly reward: Atomic;
  readonly requiredSkills: readonly string[];
  /** Accounts that take part; neither they nor any account linked to them may judge. */
  readonly parties: readonly Account[];
}

/** A draw is among at most these many; with more of them the largest stakes are taken. */
const POOL_MAX = 500;

type SeatCells = readonly [account: Account, stake: number, minFeeBps: number];

/**
 * The seats that may be drawn as they stood when the batch was read, and what links them to others.
 * Seats that are drawn are locked afterwards.
 */
export const PANEL_POOLS = lookup('panel_pool', {
  by: {
    network: column.network(),
    stake: column.amount(),
    skills: column.json<readonly string[]>(),
    parties: column.json<readonly Account[]>(),
  },
  found: { seats: column.json<readonly SeatCells[]>(), links: column.json<readonly Link[]>() },
  sql({ network, stake, skills, parties }, dialect) {
    const textsIn = (json: string): string =>
      dialect === 'sqlite'
        ? `SELECT value AS text FROM json_each(${json})`
        : `SELECT jsonb_array_elements_text(${json}::jsonb) AS text`;
    // Text, so that SQLite does not take it for a part of the JSON around it.
    const listOf = (cells: string, from: string): string =>
      dialect === 'sqlite'
        ? `'' || (SELECT json_group_array(json_array(${cells})) FROM (${from}) AS each)`
        : `(SELECT coalesce(json_agg(json_build_array(${cells})), '[]')::text FROM (${from}) AS each)`;
    const seats = `SELECT account, stake, min_fee_bps FROM seats
      WHERE state = 'seated' AND paused IS NULL AND network = ${network} AND stake >= ${stake}
        AND (skill IS NULL OR skill IN (${textsIn(skills)}))
      ORDER BY stake DESC, account LIMIT ${POOL_MAX}`;
    const among = `SELECT account FROM (${seats}) AS seat
      UNION SELECT text FROM (${textsIn(parties)}) AS party`;
    const links = `
      SELECT account, 'key:' || key_id AS other FROM keys WHERE account IN (${among})
      UNION SELECT account, 'key:' || key_id FROM keys
        WHERE key_id IN (SELECT substr(account, 5) FROM (${among}) AS own)
      UNION SELECT account, shared FROM account_links WHERE account IN (${among})`;
    return {
      seats: listOf('account, stake, min_fee_bps', seats),
      links: listOf('account, other', links),
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
  return seats.flatMap(([account, stake, minFeeBps]) => {
    const group = groups.get(account) ?? account;
    const seat = { account, stake: atomic(BigInt(stake)), minFeeBps };
    return excluded.has(group) ? [] : [{ seat, group }];
  });
}
