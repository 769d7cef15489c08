import type { Reader, Writer } from '../../db/store.ts';
import { readChain } from '../../db/time/pulses.ts';
import { saveCase } from '../../db/validators/cases.ts';
import type { PanelCase } from '../../db/validators/cases.ts';
import { addPanelist } from '../../db/validators/panelists.ts';
import { insertRound } from '../../db/validators/rounds.ts';
import { eligibleSeats, lockSeats } from '../../db/validators/seats.ts';
import { noteEvent } from '../../db/wallet/accountEvents.ts';
import type { Account } from '../../domain/account.ts';
import { drawOrder, drawSeed, weightOf } from '../../domain/draw.ts';
import { earliest, instant, plus } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import { ZERO } from '../../domain/money.ts';
import type { Attempt, Task } from '../../domain/task/model.ts';
import { DRAW_AGAIN, panelOf, ROUND_LIMIT } from '../../domain/validator/panel.ts';
import type { Panel, PoolSeat } from '../../domain/validator/panel.ts';
import { mayJudge } from '../../domain/validator/seat.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { JUDGE_CALLS_TOPIC } from '../topics.ts';

/**
 * A seat may change between the look at all and the lock on the drawn; then the draw is made anew.
 */
const DRAWS_MAX = 3;
/** No draw is possible before the first pulse; it comes within two minutes of the first start. */
const PULSE_AGAIN_MS = 1_000;

/**
 * The panel that a result of this task would be drawn from now; undefined while there is nobody.
 */
export async function panelFor(
  db: Reader,
  hub: Hub,
  task: Task,
  parties: readonly Account[],
): Promise<Panel | undefined> {
  const reward = task.reward?.amount ?? ZERO;
  const eligible = await eligibleSeats(db, {
    network: task.reward?.network ?? hub.settings.network,
    reward,
    requiredSkills: task.requiredSkills,
    parties,
  });
  return panelOf(reward, eligible);
}

/**
 * The random that the head pulse committed to and the next one shows; nobody outside has it yet.
 */
export async function sealedRandom(
  db: Reader,
): Promise<{ readonly random: string; readonly pulseSeq: number } | undefined> {
  const { nextRandom: random, head } = await readChain(db);
  return random === null || head === undefined ? undefined : { random, pulseSeq: head.seq + 1 };
}

/**
 * Draws a panel for a result that is due for one, and lets it be called; without a pulse or without
 * seats it is due again later. The caller holds the task.
 */
export async function drawPanel(
  tx: Writer,
  hub: Hub,
  about: { readonly task: Task; readonly attempt: Attempt; readonly waiting: PanelCase },
  now: Instant,
): Promise<void> {
  const { waiting } = about;
  const sealed = await sealedRandom(tx);
  if (sealed === undefined) {
    await saveCase(tx, { ...waiting, dueAt: instant(now + PULSE_AGAIN_MS) });
    return;
  }
  for (let made = 0; made < DRAWS_MAX; made += 1) {
    if (await drawOnce(tx, hub, { ...about, ...sealed }, now)) return;
  }
  await saveCase(tx, { ...waiting, state: 'due', dueAt: plus(now, DRAW_AGAIN) });
}

/** False when nobody may be drawn, or who was drawn is no longer what it was. */
async function drawOnce(
  tx: Writer,
  hub: Hub,
  about: {
    readonly task: Task;
    readonly attempt: Attempt;
    readonly waiting: PanelCase;
    readonly random: string;
    readonly pulseSeq: number;
  },
  now: Instant,
): Promise<boolean> {
  const { task, attempt, waiting, random, pulseSeq } = about;
  const panel = await panelFor(tx, hub, task, [task.requester, attempt.worker, attempt.payee]);
  if (panel === undefined) return false;
  const { size, pool } = panel;
  const [taskId, attemptId, round] = [task.id, attempt.id, waiting.rounds + 1];
  const seed = drawSeed('panel', { random, taskId, attemptId, round });
  const drawn = drawOrder(seed, pool).slice(0, size);
  if (!(await stillThere(tx, drawn))) return false;
  const id = hub.ids.uuid();
  await insertRound(tx, {
    id,
    taskId,
    attemptId,
    round,
    size,
    state: 'open',
    pulseSeq,
    seed: Buffer.from(seed).toString('hex'),
    pool,
    drawnAt: now,
    endsAt: earliest(plus(now, ROUND_LIMIT), waiting.endsAt),
  });
  for (const [place, { account }] of drawn.entries()) {
    await addPanelist(tx, { roundId: id, place, account, dueAt: now });
    noteDraw(tx, { id, taskId, attemptId }, account, now);
  }
  await saveCase(tx, { ...waiting, state: 'round', rounds: round });
  tx.publish(JUDGE_CALLS_TOPIC);
  return true;
}

/** Tells a judge of the panel that it sits on from now on. */
export function noteDraw(
  tx: Writer,
  { id: ref, taskId, attemptId }: { id: string; taskId: string; attemptId: string },
  judge: Account,
  at: Instant,
): void {
  noteEvent(tx, [judge], { at, kind: 'judge.drawn', subjectId: taskId, attemptId, ref });
}

/** Locks the drawn seats, so that none of them leaves before this draw is known. */
export async function stillThere(tx: Writer, drawn: readonly PoolSeat[]): Promise<boolean> {
  const seats = await lockSeats(
    tx,
    drawn.map(({ account }) => account),
  );
  return drawn.every(({ account, weight }) => {
    const seat = seats.find((each) => each.account === account);
    return seat !== undefined && mayJudge(seat) && weightOf(seat.stake) === weight;
  });
}
