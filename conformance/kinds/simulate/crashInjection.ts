import { setTimeout as sleep } from 'node:timers/promises';
import { openPanelDriver, type Answered, type Place } from './panelDriver.ts';
import type { PeekedChair } from './engine.ts';
import { at, type Body } from './fields.ts';
import { draw } from './model/cases.ts';
import { isDue, settleDue } from './model/clock.ts';
import { followAll } from './model/model.ts';
import type { Numbered } from './model/operations.ts';
import { callsDue, endRound, hear, isMovable, isOver, panelTimes } from './model/panels.ts';
import { probeSeat } from './model/seats.ts';
import { RESTART_SECONDS, type Attempt, type Round, type Task } from './model/types.ts';
import { Gone } from './crashableProcess.ts';

/**
 * A hub killed in the middle of a scheduler's job. What it had done is read: each task changes in
 * one transaction, at the time of the death or not at all. The next process does the rest later.
 */
export type Crash = NonNullable<Extract<Numbered, { readonly do: 'wait' }>['dies']>;

/** Milliseconds for which a call counts as made by another process (choices validators.calls). */
const CLAIM_MS = 45_000;
const DRAW_AGAIN_MS = 60_000;

export const CRASHING_JOBS = [
  'pulse',
  'leaseExpiry',
  'autoAccept',
  'panels',
  'panels',
  'panelCalls',
  'panelCalls',
  'payoutRelease',
  'deadlineExpiry',
  'seatProbes',
];

/** Ends with a process that is up a second later, and a model that knows what the dead one did. */
export async function crashIn(place: Place, dying: Crash): Promise<readonly string[]> {
  const { site, model } = place;
  const last = dying.job === 'panelCalls' ? await dieAmongCalls(place, dying) : undefined;
  if (typeof last === 'string') return [last];
  if (dying.job !== 'panelCalls') {
    const running = site.runJob(dying.job).catch(onlyGone);
    await sleep(dying.afterMs);
    await site.kill();
    await running;
  }
  await site.restart();
  await site.advance(RESTART_SECONDS);
  if (dying.job === 'panelCalls') await learnCalls(place, last);
  if (dying.job === 'seatProbes') await learnProbes(place);
  const seen = await learnTasks(place);
  followAll(model);
  model.now += RESTART_SECONDS * 1000;
  // They were read, and a read applies what is due.
  for (const task of seen) settleDue(model, task);
  return [];
}

/** Work that was under way when the process died is no difference; everything else is. */
export function onlyGone(error: unknown): undefined {
  if (error instanceof Gone) return undefined;
  throw error;
}

/** Answers some judges, and one more whose vote may or may not be recorded; a text when wrong. */
async function dieAmongCalls(
  place: Place,
  { answers, afterMs }: Crash,
): Promise<Answered | undefined | string> {
  const { site } = place;
  const job = site.runJob('panelCalls').catch(onlyGone);
  const sitting = openPanelDriver(place, job);
  let next = await sitting.answer();
  for (let heard = 0; heard < answers && typeof next === 'object'; heard += 1) {
    const fault = await sitting.takeDown(next);
    if (fault !== undefined) return fault;
    next = await sitting.answer();
  }
  await sleep(afterMs);
  await site.kill();
  await job;
  site.cases.splice(0);
  return next;
}

/** Calls that were claimed are lost, and made again when their claim is over. */
async function learnCalls(place: Place, last: Answered | undefined): Promise<void> {
  const { site, model, names } = place;
  const { panelists } = await site.peek();
  const chairOf = (call: Answered['call']): PeekedChair | undefined =>
    panelists.find(
      ({ account, attemptId }) =>
        account === site.accounts[call.panelist.agent] &&
        attemptId === names.ids.get(call.round.attempt.name),
    );
  if (last !== undefined && chairOf(last.call)?.state !== 'called') {
    hear(model, last.call, last.vote);
  }
  for (const call of callsDue(model)) {
    const { state, dueAt } = chairOf(call) ?? {};
    if (state !== 'called' || dueAt !== model.now + CLAIM_MS) continue;
    Object.assign(call.panelist, { state, dueAt });
  }
}

async function learnProbes({ site, model }: Place): Promise<void> {
  const { seats } = await site.peek();
  for (const [index, agent] of model.agents.entries()) {
    const { seat } = agent;
    if (seat?.probeAt === undefined || seat.probeAt > model.now) continue;
    const probeAt = seats.find(({ account }) => account === site.accounts[index])?.probeAt;
    if (probeAt === model.now + CLAIM_MS) seat.probeAt = probeAt;
    else if (probeAt === null || probeAt === undefined || probeAt > model.now) {
      probeSeat(model, agent);
    }
  }
}

/** Tasks that something was due on, moved on here as far as the dead process moved them. */
async function learnTasks(place: Place): Promise<readonly Task[]> {
  const { site, model, names } = place;
  const { cases } = await site.peek();
  const tasks = [...model.tasks.values()].filter(
    (task) => isDue(model, task) || panelTimes(task).some((time) => time <= model.now),
  );
  const seen = new Map<Task, Body>();
  for (const task of tasks) {
    const path = `/api/v1/tasks/${names.ids.get(task.name)}`;
    seen.set(task, (await site.call(undefined, { method: 'GET', path })).body);
  }
  for (const [task, body] of seen) {
    if (listOf(body, 'history').some((each) => isAt(each['at'], model.now))) {
      settleDue(model, task);
    }
    const isClosed = (round: Round): boolean => {
      const shown = panelOf(place, body, round.attempt, round.n);
      return shown?.['state'] !== 'open' && isAt(shown?.['closedAt'], model.now);
    };
    for (const round of task.rounds.filter((each) => isOver(model, each))) {
      if (isClosed(round)) endRound(model, task, round);
    }
  }
  for (const [task, body] of seen) {
    for (const attempt of task.attempts.filter((each) => isMovable(model, each))) {
      const shown = panelOf(place, body, attempt, (attempt.panel?.rounds ?? 0) + 1);
      const isDrawn = isAt(shown?.['drawnAt'], model.now);
      const again = cases.find(({ attemptId }) => attemptId === names.ids.get(attempt.name));
      if (isDrawn || again?.dueAt === model.now + DRAW_AGAIN_MS) draw(model, task, attempt);
    }
  }
  return tasks;
}

function panelOf({ names }: Place, body: Body, attempt: Attempt, n: number): Body | undefined {
  const attemptId = names.ids.get(attempt.name);
  return listOf(body, 'panels').find(
    (each) => each['attemptId'] === attemptId && each['round'] === n,
  );
}

function listOf(body: Body, name: string): readonly Body[] {
  return (at(body, name) as readonly Body[] | undefined) ?? [];
}

function isAt(shown: unknown, ms: number): boolean {
  return typeof shown === 'string' && Date.parse(shown) === ms;
}
