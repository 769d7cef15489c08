import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Reader } from '../../db/store.ts';
import { resultOf } from '../../db/tasks/attempts.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { readTask } from '../../db/tasks/tasks.ts';
import { claimCalls, PANELISTS, type Panelist } from '../../db/validators/panelists.ts';
import { openRound, ROUNDS } from '../../db/validators/rounds.ts';
import { SEATS, seatOf } from '../../db/validators/seats.ts';
import { defined } from '../../domain/defined.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Reward } from '../../domain/tasks/model.ts';
import { pauseAfter } from '../../domain/validators/panel.ts';
import { timedOut } from '../../domain/validators/seat.ts';
import type { Hub } from '../kernel/hub.ts';
import { recordCauses } from '../karma/record.ts';
import { settledTask } from '../tasks/due.ts';
import { JUDGE_CALLS_TOPIC } from '../topics.ts';
import { lostAt, runJudgeCalls, type JudgeCall } from '../validators/callerPool.ts';
import { panelistsOf } from '../validators/cases.ts';
import { askJudge, type JudgeAnswer, type JudgeCase } from '../validators/judgeCall.ts';
import { endRound, takeRoundOn } from './decide.ts';

/** The hub itself could not call; it tries again after this long, and no try is counted. */
const UNASKED_PAUSE = seconds(5);

/** Calls the judges that are due, writes down what they say, and lets their rounds decide. */
export function callJudges(hub: Hub): Promise<void> {
  return runJudgeCalls(hub, JUDGE_CALLS_TOPIC, async (limit) => {
    // A verdict moves money; while none may move, asking for one would only cost the judge.
    if (hub.store.frozenSince() !== undefined) return [];
    const now = hub.clock.now();
    const claim = { now, lostAt: lostAt(now), limit };
    const claimed = await hub.store.write((tx) => claimCalls(tx, claim));
    return claimed.map((panelist): JudgeCall => ({
      run: (signal) => callOne(hub, panelist, signal),
    }));
  });
}

async function callOne(hub: Hub, panelist: Panelist, signal: AbortSignal): Promise<boolean> {
  const asked = await hub.store.read((db) => caseFor(db, panelist));
  if (asked === undefined) return false;
  const answer = await askJudge(hub, asked.endpoint, asked.case, signal);
  // A hub that closes leaves the call claimed; the next process makes it again.
  if (answer.kind === 'unasked' && answer.closing) return true;
  await hub.store.decide({
    needs: [need(TASKS, asked.case.taskId)],
    decide: (db) => keepAnswer(db, hub, { taskId: asked.case.taskId, panelist, answer }),
  });
  return false;
}

async function caseFor(
  db: Reader,
  { roundId, account }: Panelist,
): Promise<{ readonly endpoint: string; readonly case: JudgeCase } | undefined> {
  const round = await openRound(db, roundId);
  const seat = await seatOf(db, account);
  if (round === undefined || seat === undefined) return undefined;
  const { taskId, attemptId } = round;
  const task = (await readTask(db, taskId))?.task;
  const delivered = await resultOf(db, attemptId);
  assert(task !== undefined && delivered !== undefined, 'a round is of a result');
  const { title, description, input, files: inputFiles } = task;
  const { value: result, files } = delivered;
  const named = defined({ inputFiles, files });
  return {
    endpoint: seat.endpoint,
    case: { taskId, attemptId, title, description, input, result, ...named },
  };
}

/** Votes are sealed: what is written here is shown once the round has decided. */
function keepAnswer(
  db: Decider,
  hub: Hub,
  { taskId, panelist, answer }: { taskId: string; panelist: Panelist; answer: JudgeAnswer },
): void {
  const now = hub.clock.now();
  const known = settledTask(db, hub, taskId);
  const round = db.find(ROUNDS, panelist.roundId);
  if (round?.state !== 'open') return;
  if (now >= round.endsAt) return endRound(db, hub, { known, round }, now);
  const before = panelistsOf(db, round.id);
  const mine = before.find(({ place }) => place === panelist.place);
  assert(mine !== undefined, 'a drawn seat stays with its round');
  const after = answered(mine, panelist, answer, now);
  if (after === undefined) return;
  db.put(PANELISTS, after, after);
  if (after.state === 'no-show') keepNoShow(db, hub, after, known.aggregate.task.reward, now);
  const panelists = before.map((each) => (each.place === after.place ? after : each));
  takeRoundOn(db, hub, { known, round, panelists }, now);
}

/** The drawn seat after an answer; undefined when the answer is of no use any more. */
function answered(
  mine: Panelist,
  claimed: Panelist,
  answer: JudgeAnswer,
  now: Instant,
): Panelist | undefined {
  if (mine.state !== 'called' && mine.state !== 'due') return undefined;
  if (answer.kind === 'judged') {
    const { judgement, ms: answerMs } = answer;
    return { ...mine, ...judgement, state: 'voted', answeredAt: now, answerMs };
  }
  // Counted as lost meanwhile and made again: the newer call speaks for this judge.
  if (mine.state !== 'called' || mine.dueAt !== claimed.dueAt) return undefined;
  if (answer.kind === 'unasked') return { ...mine, state: 'due', dueAt: plus(now, UNASKED_PAUSE) };
  const tries = mine.tries + 1;
  const pause = pauseAfter(tries);
  const tried = { ...mine, tries, fault: answer.message };
  if (pause === undefined) return { ...tried, state: 'no-show' };
  return { ...tried, state: 'due', dueAt: plus(now, pause) };
}

function keepNoShow(
  db: Decider,
  hub: Hub,
  { account: subject, roundId: occasion }: Panelist,
  reward: Reward | undefined,
  now: Instant,
): void {
  const seat = db.find(SEATS, subject);
  if (seat !== undefined) db.put(SEATS, subject, timedOut(seat, now));
  const ref = { kind: 'round', id: occasion } as const;
  const cause = { subject, reason: 'judge.no-show', ref, occasion } as const;
  recordCauses(db, hub, [cause], { at: now, network: reward?.network });
}
