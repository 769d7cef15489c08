import type { Instant } from '../../domain/instant.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { table, type RowIn } from '../batch/table.ts';
import { SEATS } from './seats.ts';
import { linkOf, statement } from '../connection.ts';
import type { Writer } from '../connection.ts';
import { parentIn } from '../batch/need.ts';
import { ROUNDS, VERDICTS } from './rounds.ts';

/**
 * Drawn seats: what is still to be asked of them, and what they said. A call is claimed before it
 * goes out, for a while; the end of that while is how its caller knows it is still its own.
 */
export const PANELISTS = table(
  'panel_seats',
  {
    roundId: column.text().key(),
    /** Its pick in the draw, from 0. */
    place: column.integer().key(),
    account: column.account().fixed(),
    state: column.oneOf(['due', 'called', 'voted', 'no-show', 'released']).guard(),
    /** Calls that brought no verdict. */
    tries: column.integer(),
    /** When it may be called next; of a call that is out, when it counts as lost. */
    dueAt: column.moment().guard(),
    verdict: column.oneOf(VERDICTS).optional(),
    reason: column.text().optional(),
    answeredAt: column.moment().optional(),
    answerMs: column.integer().optional(),
    confidenceBps: column.integer().optional(),
    /** The fault of the newest call without a verdict. */
    fault: column.text().optional(),
  },
  {
    personal: { owner: 'account', stays: 'The vote decided about money of others.' },
    lock: 'none',
    under: [SEATS],
    parent: parentIn(ROUNDS, ({ roundId }: { roundId: string }) => roundId),
  },
);
export type Panelist = RowIn<typeof PANELISTS>;

/** In draw order. */
export const PANELISTS_OF_ROUND = list('panelists_of_round', PANELISTS, {
  by: { roundId: column.text() },
  where: (key) => `t.round_id = ${key.roundId}`,
  order: 't.place',
  parent: parentIn(ROUNDS, (roundId: string) => roundId),
});

const DUE = `SELECT round_id, place FROM panel_seats
  WHERE state IN ('due', 'called') AND due_at <= ? ORDER BY due_at, round_id, place LIMIT ?`;
const CLAIM = (due: string): string => `
  UPDATE panel_seats SET state = 'called', due_at = ? WHERE (round_id, place) IN (${due})
  RETURNING *`;
const CLAIMED = statement(CLAIM(DUE), CLAIM(`${DUE} FOR UPDATE SKIP LOCKED`));

/** Takes calls that are due, so that no other process makes them before `lostAt`. */
export async function claimCalls(
  tx: Writer,
  at: { readonly now: Instant; readonly lostAt: Instant; readonly limit: number },
): Promise<readonly Panelist[]> {
  const { now, lostAt, limit } = at;
  return (await linkOf(tx).rows(CLAIMED, [lostAt, now, limit])).map(PANELISTS.fromRow);
}
