import { instant, type Instant } from '../instant.ts';
import { cashOut, finish, givenUpAt, plan } from './between.ts';
import { dealHand, giveTurn, moveByClock, voidHand } from './dealing.ts';
import { removeLinked, type Groups } from './linked.ts';
import type { Session } from './session.ts';
import {
  AWAY_MS,
  ENGINE_VERSION,
  IDLE_MS,
  isAbsent,
  playerAt,
  seated,
  UNFILLED_MS,
  withPlayer,
  type Table,
} from './table.ts';

/** The most steps of the clock at one table: it deals, moves for late players, closes the table. */
const STEPS_MAX = 40;

/** When something is due next; undefined once the table is finished. */
export function dueAt(table: Table): Instant | undefined {
  if (table.state === 'finished') return undefined;
  const times = [
    table.dealt?.turn?.deadline,
    table.dealt === undefined ? table.dealAt : undefined,
    ...(table.format === 'cash' ? seated(table).map(givenUpAt) : []),
    closesAt(table),
  ].flatMap((at) => (at === undefined ? [] : [at]));
  return times.length === 0 ? undefined : instant(Math.min(...times));
}

function closesAt(table: Table): number | undefined {
  if (table.state !== 'open') return undefined;
  if (table.format === 'sng') {
    return table.dealAt === undefined ? table.createdAt + UNFILLED_MS : undefined;
  }
  return seated(table).length > 0 ? undefined : (table.emptySince ?? table.createdAt) + IDLE_MS;
}

/** Returns whether the clock deals a hand at this moment, which asks who is linked to whom. */
export function dealsNow({ dealt, dealAt }: Table, now: Instant): boolean {
  return dealt === undefined && dealAt !== undefined && dealAt <= now;
}

/** Applies what is due, a bounded number of steps; what is left is due still. */
export function applyClock(session: Session, groups: Groups): void {
  if (session.table.engine !== ENGINE_VERSION) {
    voidHand(session);
    session.change({ engine: ENGINE_VERSION });
  }
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const due = dueAt(session.table);
    if (due === undefined || due > session.now) return;
    step(session, groups);
  }
}

function step(session: Session, groups: Groups): void {
  const { table, now } = session;
  const turn = table.dealt?.turn;
  if (turn !== undefined && turn.deadline <= now) return timeOut(session, turn);
  if (dealsNow(table, now)) {
    if (!removeLinked(session, groups)) dealHand(session);
    return;
  }
  const gone = seated(table).find((player) => (givenUpAt(player) ?? Infinity) <= now);
  if (gone !== undefined) {
    cashOut(session, gone);
    return plan(session);
  }
  if (table.format === 'sng') {
    for (const player of seated(table)) cashOut(session, { ...player, stack: table.buyIn ?? 0n });
    return finish(session, 'not-filled');
  }
  finish(session, 'idle');
}

function timeOut(
  session: Session,
  { seat, deadline }: { readonly seat: number; readonly deadline: Instant },
): void {
  const player = playerAt(session.table, seat);
  const isWaitedFor = player.state !== 'leaving' && !isAbsent(session.table, player);
  if (isWaitedFor && session.now - deadline > AWAY_MS) {
    giveTurn(session, seat);
    return session.whisper();
  }
  moveByClock(session, seat);
}

export function isBack(session: Session, seat: number): void {
  const player = playerAt(session.table, seat);
  if (player.timeouts > 0) session.table = withPlayer(session.table, { ...player, timeouts: 0 });
}
