import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { SEALED_RANDOM } from '../../db/time/pulses.ts';
import { PANEL_CASES, type PanelCase } from '../../db/validators/cases.ts';
import { PANELISTS } from '../../db/validators/panelists.ts';
import { eligibleSeats } from '../../db/validators/pool.ts';
import { ROUNDS } from '../../db/validators/rounds.ts';
import { SEATS } from '../../db/validators/seats.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { Account } from '../../domain/account.ts';
import { drawOrder, drawSeed, weightOf } from '../../domain/draw.ts';
import { earliest, instant, plus } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import { ZERO } from '../../domain/money.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';
import {
  DRAW_AGAIN,
  panelOf,
  reliableSeats,
  ROUND_LIMIT,
  type EligibleSeat,
  type Panel,
  type PoolSeat,
} from '../../domain/validators/panel.ts';
import { mayJudge } from '../../domain/validators/seat.ts';
import type { Hub } from '../kernel/hub.ts';
import { JUDGE_CALLS_TOPIC } from '../topics.ts';

/** No draw is possible before the first pulse; it comes within two minutes of the first start. */
const PULSE_AGAIN_MS = 1_000;

/** The seats of one draw. */
interface Pool {
  /** How many are drawn; all of the pool when absent. */
  readonly size?: number;
  readonly pool: readonly PoolSeat[];
}

/**
 * Draws among seats that are locked only once they are drawn. One that has changed since the seats
 * were read is left out, and the draw is repeated among the others; undefined when no pool is left.
 */
export function drawAmong<P extends Pool>(
  db: Decider,
  seed: Uint8Array,
  eligible: readonly EligibleSeat[],
  poolOf: (eligible: readonly EligibleSeat[]) => P | undefined,
): (P & { readonly drawn: readonly PoolSeat[] }) | undefined {
  const among = poolOf(eligible);
  if (among === undefined || among.pool.length === 0) return undefined;
  const drawn = drawOrder(seed, among.pool).slice(0, among.size);
  db.ask(drawn.map(({ account }) => need(SEATS, account)));
  const changed = drawn.filter((seat) => !isUnchanged(db, seat)).map(({ account }) => account);
  if (changed.length === 0) return { ...among, drawn };
  const left = eligible.filter(({ seat }) => !changed.includes(seat.account));
  return drawAmong(db, seed, left, poolOf);
}

function isUnchanged(db: Decider, { account, weight }: PoolSeat): boolean {
  const seat = db.find(SEATS, account);
  return seat !== undefined && mayJudge(seat) && weightOf(seat.stake) === weight;
}

/** The panel that a result of this task would be drawn from now; undefined without such seats. */
export function panelFor(
  db: Decider,
  hub: Hub,
  task: Task,
  parties: readonly Account[],
): Panel | undefined {
  return panelOf(task.reward?.amount ?? ZERO, eligibleFor(db, hub, task, parties));
}

/** Whether enough judges reach the reliability that the task asks for now. */
export function hasReliableJudges(
  db: Decider,
  hub: Hub,
  task: Task,
  parties: readonly Account[],
): boolean {
  const { minReliabilityBps: min } = task;
  return min === undefined || reliableSeats(anyFor(db, hub, task, parties), min) !== undefined;
}

function eligibleFor(db: Decider, hub: Hub, task: Task, parties: readonly Account[]) {
  const any = anyFor(db, hub, task, parties);
  const { minReliabilityBps: min } = task;
  return min === undefined ? any : (reliableSeats(any, min) ?? any);
}

function anyFor(db: Decider, hub: Hub, task: Task, parties: readonly Account[]) {
  return eligibleSeats(db, {
    network: task.reward?.network ?? hub.settings.network,
    reward: task.reward?.amount ?? ZERO,
    requiredSkills: task.requiredSkills,
    parties,
  });
}

/** The random that the newest pulse committed to and the next one shows; undefined before the first. */
export function sealedRandom(
  db: Decider,
): { readonly random: string; readonly pulseSeq: number } | undefined {
  const { random, head } = db.find(SEALED_RANDOM, 1) ?? {};
  return random === undefined || head === undefined ? undefined : { random, pulseSeq: head + 1 };
}

/** Draws and calls a panel for a due result; without a pulse or seats it is due again later. */
export function drawPanel(
  db: Decider,
  hub: Hub,
  about: { readonly task: Task; readonly attempt: Attempt; readonly waiting: PanelCase },
  now: Instant,
): void {
  const { task, attempt, waiting } = about;
  const sealed = sealedRandom(db);
  if (sealed === undefined) {
    const dueAt = instant(now + PULSE_AGAIN_MS);
    db.put(PANEL_CASES, attempt.id, { ...waiting, dueAt });
    return;
  }
  const { random, pulseSeq } = sealed;
  const [taskId, attemptId, round] = [task.id, attempt.id, waiting.rounds + 1];
  const seed = drawSeed('panel', { random, taskId, attemptId, round });
  const parties = [task.requester, attempt.worker, attempt.payee];
  const panel = drawAmong(db, seed, eligibleFor(db, hub, task, parties), (eligible) =>
    panelOf(task.reward?.amount ?? ZERO, eligible),
  );
  if (panel === undefined) {
    db.put(PANEL_CASES, attemptId, { ...waiting, state: 'due', dueAt: plus(now, DRAW_AGAIN) });
    return;
  }
  const { size, pool, drawn } = panel;
  const id = db.newId(hub.ids);
  const endsAt = earliest(plus(now, ROUND_LIMIT), waiting.endsAt);
  db.insert(ROUNDS, id, {
    id,
    taskId,
    attemptId,
    round,
    size,
    state: 'open',
    pulseSeq,
    pool,
    seed: Buffer.from(seed).toString('hex'),
    drawnAt: now,
    endsAt,
  });
  for (const [place, { account }] of drawn.entries()) {
    callIn(db, { id, taskId, attemptId }, { place, account }, now);
  }
  db.put(PANEL_CASES, attemptId, { ...waiting, state: 'round', rounds: round });
  db.publish(JUDGE_CALLS_TOPIC);
}

/** Adds a judge to a round and lets it know of the panel that it sits on from now on. */
export function callIn(
  db: Decider,
  { id, taskId, attemptId }: { id: string; taskId: string; attemptId: string },
  { place, account }: { readonly place: number; readonly account: Account },
  at: Instant,
): void {
  const seat = { roundId: id, place, account, state: 'due', tries: 0, dueAt: at } as const;
  db.insert(PANELISTS, seat, seat);
  noteEvent(db, [account], { at, kind: 'judge.drawn', subjectId: taskId, attemptId, ref: id });
}
