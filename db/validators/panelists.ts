import type { Instant } from '../../domain/instant.ts';
import type { PanelistVerdict } from '../../domain/validator/panel.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { verdictOf } from './rounds.ts';

/**
 * The table of drawn seats: what is still to be asked of them, and what they said. A call is
 * claimed before it goes out, for a while; the end of that while is how its caller knows it is
 * still its own.
 */
export interface Panelist extends PanelistVerdict {
  readonly roundId: string;
  /** Calls that brought no verdict. */
  readonly tries: number;
  /** When it may be called next; of a call that is out, when it counts as lost. */
  readonly dueAt: Instant;
  readonly reason?: string;
  readonly answeredAt?: Instant;
  readonly answerMs?: number;
  /** What the newest call without a verdict brought. */
  readonly fault?: string;
}

const INSERT = statement(`
  INSERT INTO panel_seats (round_id, place, account, state, tries, due_at)
  VALUES (?, ?, ?, 'due', 0, ?)`);

export async function addPanelist(
  tx: Writer,
  panelist: Pick<Panelist, 'roundId' | 'place' | 'account' | 'dueAt'>,
): Promise<void> {
  const { roundId, place, account, dueAt } = panelist;
  await linkOf(tx).rows(INSERT, [roundId, place, account, dueAt]);
}

const OF_ROUND = statement('SELECT * FROM panel_seats WHERE round_id = ? ORDER BY place');

/** In draw order. */
export async function panelistsOf(db: Reader, roundId: string): Promise<readonly Panelist[]> {
  return (await linkOf(db).rows(OF_ROUND, [roundId])).map(drawnSeat);
}

const SAVE = statement(`
  UPDATE panel_seats SET state = ?, tries = ?, due_at = ?, verdict = ?, reason = ?,
    answered_at = ?, answer_ms = ?, fault = ?
   WHERE round_id = ? AND place = ?`);

export async function savePanelist(tx: Writer, panelist: Panelist): Promise<void> {
  await linkOf(tx).rows(SAVE, [
    panelist.state,
    panelist.tries,
    panelist.dueAt,
    panelist.verdict ?? null,
    panelist.reason ?? null,
    panelist.answeredAt ?? null,
    panelist.answerMs ?? null,
    panelist.fault ?? null,
    panelist.roundId,
    panelist.place,
  ]);
}

const RELEASE = statement(`
  UPDATE panel_seats SET state = 'released' WHERE round_id = ? AND state IN ('due', 'called')`);

/** Lets go of those who were not heard. */
export async function releasePanelists(tx: Writer, roundId: string): Promise<void> {
  await linkOf(tx).rows(RELEASE, [roundId]);
}

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
  return (await linkOf(tx).rows(CLAIMED, [lostAt, now, limit])).map(drawnSeat);
}

function drawnSeat(row: Row): Panelist {
  const verdict = column.textOrNull(row, 'verdict');
  const reason = column.textOrNull(row, 'reason');
  const answeredAt = column.timeOrNull(row, 'answered_at');
  const answerMs = column.wholeOrNull(row, 'answer_ms');
  const fault = column.textOrNull(row, 'fault');
  return {
    roundId: column.text(row, 'round_id'),
    place: column.whole(row, 'place'),
    account: column.account(row, 'account'),
    state: stateOf(column.text(row, 'state')),
    tries: column.whole(row, 'tries'),
    dueAt: column.time(row, 'due_at'),
    ...(verdict !== null && { verdict: verdictOf(verdict) }),
    ...(reason !== null && { reason }),
    ...(answeredAt !== null && { answeredAt }),
    ...(answerMs !== null && { answerMs }),
    ...(fault !== null && { fault }),
  };
}

function stateOf(state: string): PanelistVerdict['state'] {
  const known = ['due', 'called', 'voted', 'no-show', 'released'] as const;
  const found = known.find((each) => each === state);
  if (found === undefined) throw new Error('a drawn seat in an unknown state');
  return found;
}
