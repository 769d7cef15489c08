import { agentOf } from './books.ts';
import { draw, endCase, letGo, seatAt } from './cases.ts';
import { follow, settleDue } from './clock.ts';
import { because, giveKarma } from './karma.ts';
import { keepVote, mayJudge, miss } from './seats.ts';
import { acceptResult, endAttempt } from './settle.ts';
import type { Attempt, Panelist, Conduct, Model, Round, Task, Vote } from './types.ts';

/** Votes, silent judges and decisions (choices validators.rounds, validators.pay; T9, T10). */
const PAUSES = [5_000, 15_000];

/** The scheduler's part: ends rounds, draws for who is due, lets go of who waited enough. */
export function movePanels(model: Model): void {
  const tasks = [...model.tasks.values()];
  const rounds = tasks.flatMap((task) => task.rounds.map((round) => ({ task, round })));
  const over = rounds.filter(({ round }) => isOver(model, round));
  for (const { task, round } of over.sort((a, b) => a.round.endsAt - b.round.endsAt)) {
    settleDue(model, task);
    if (isOver(model, round)) endRound(model, task, round);
  }
  for (const task of tasks) {
    for (const attempt of inLine(task.attempts.filter((each) => isMovable(model, each)))) {
      settleDue(model, task);
      if (isMovable(model, attempt)) moveCase(model, task, attempt);
    }
  }
}

/** The one that is due first, and of those the one that was delivered first. */
function inLine(attempts: readonly Attempt[]): readonly Attempt[] {
  const dueAt = ({ panel }: Attempt): number => panel?.dueAt ?? 0;
  return [...attempts].sort((a, b) => dueAt(a) - dueAt(b) || a.deliveredAt - b.deliveredAt);
}

export function isOver(model: Model, { state, endsAt }: Round): boolean {
  return state === 'open' && endsAt <= model.now;
}

export function isMovable(model: Model, { panel }: Attempt): boolean {
  if (panel === undefined || panel.state === 'over') return false;
  return panel.endsAt <= model.now || (panel.state === 'due' && panel.dueAt <= model.now);
}

function moveCase(model: Model, task: Task, attempt: Attempt): void {
  if ((attempt.panel?.endsAt ?? 0) <= model.now) endCase(model, task, attempt);
  else draw(model, task, attempt);
}

export function callsDue(model: Model): readonly CallDue[] {
  return callsWhere(
    model,
    ({ round, panelist }) =>
      round.state === 'open' && isAsked(panelist.state) && panelist.dueAt <= model.now,
  );
}

/** Calls that may be out although their answer is no longer waited for. */
export function callsLetGo(model: Model): readonly CallDue[] {
  return callsWhere(
    model,
    ({ panelist }) => panelist.state === 'released' && panelist.dueAt <= model.now,
  );
}

function callsWhere(model: Model, fits: (call: CallDue) => boolean): readonly CallDue[] {
  return [...model.tasks.values()].flatMap((task) =>
    task.rounds.flatMap((round) =>
      round.panelists.map((panelist) => ({ task, round, panelist })).filter(fits),
    ),
  );
}

export interface CallDue {
  readonly task: Task;
  readonly round: Round;
  readonly panelist: Panelist;
}

function isAsked(state: Panelist['state']): boolean {
  return state === 'due' || state === 'called';
}

function voteOf(conduct: Conduct, isGood: boolean, nth: number): Vote | undefined {
  switch (conduct) {
    case 'honest':
    case 'worded':
      return isGood ? 'accepted' : 'rejected';
    case 'liar':
      return isGood ? 'rejected' : 'accepted';
    case 'accepts':
      return 'accepted';
    case 'rejects':
      return 'rejected';
    case 'closed':
    case 'broken':
    case 'rubbish':
      return undefined;
    case 'shy':
      return nth % 2 === 0 ? 'accepted' : undefined;
  }
}

/** Returns the vote of a judge that is asked about a result for the nth time. */
export function voteOn(model: Model, { round, panelist }: CallDue, nth: number): Vote | undefined {
  return voteOf(agentOf(model, panelist.agent).conduct, round.attempt.isGood, nth);
}

/** Records the outcome of a call, when the hub has taken it down. */
export function hear(
  model: Model,
  { task, round, panelist }: CallDue,
  vote: Vote | undefined,
): void {
  settleDue(model, task);
  if (round.state !== 'open') return;
  if (model.now >= round.endsAt) return endRound(model, task, round);
  if (vote !== undefined) {
    panelist.state = 'voted';
    panelist.vote = vote;
  } else {
    const pause = PAUSES[panelist.tries];
    panelist.tries += 1;
    panelist.state = pause === undefined ? 'no-show' : 'due';
    panelist.dueAt = model.now + (pause ?? 0);
    if (pause === undefined) miss(model, panelist.agent, task.reward === 0n);
  }
  takeOn(model, task, round);
}

/** A round waits for everybody it called; then it decides, or calls others in. */
function takeOn(model: Model, task: Task, round: Round): void {
  if (round.panelists.some(({ state }) => isAsked(state))) return;
  const verdict = majority(round);
  if (verdict !== undefined) decide(model, task, round, verdict);
  else callIn(model, round);
}

function majority({ panelists, size }: Round): Vote | undefined {
  const verdicts: readonly Vote[] = ['accepted', 'rejected'];
  return verdicts.find(
    (verdict) => panelists.filter(({ vote }) => vote === verdict).length * 2 > size,
  );
}

/** Those after the last in the order of the same draw who still may judge. */
function callIn(model: Model, round: Round): void {
  const { panelists, order = [], size } = round;
  let vacant = size - panelists.filter(({ state }) => state === 'voted').length;
  const first = Math.max(...panelists.map(({ place }) => place)) + 1;
  for (const [n, agent] of order.slice(first).entries()) {
    if (vacant === 0) return;
    if (!mayJudge(agentOf(model, agent).seat)) continue;
    seatAt(round, agent, first + n, model.now);
    vacant -= 1;
  }
}

/** Ends the time of a round: its votes decide if they can, else it is drawn again. */
export function endRound(model: Model, task: Task, round: Round): void {
  letGo(round);
  const verdict = majority(round);
  if (verdict !== undefined) return decide(model, task, round, verdict);
  round.state = 'undecided';
  const { panel } = round.attempt;
  if (panel === undefined) throw new Error('a round is of a result that waits');
  panel.state = 'due';
  panel.dueAt = model.now;
}

function decide(model: Model, task: Task, round: Round, verdict: Vote): void {
  round.state = 'decided';
  round.verdict = verdict;
  const voters = round.panelists.filter(({ vote }) => vote !== undefined);
  for (const { agent } of voters) if (!task.judges.includes(agent)) task.judges.push(agent);
  const { attempt } = round;
  const isAlone = round.size === 1;
  for (const { agent, vote } of isAlone ? [] : voters) {
    const isWith = vote === verdict;
    const why = because(task, isWith ? 'judge.agreed' : 'judge.disagreed');
    giveKarma(model, agent, isWith ? 1 : -1, why);
  }
  if (verdict === 'accepted') acceptResult(model, task, attempt, false);
  else {
    giveKarma(model, attempt.worker, -1, because(task, 'panel.rejected'));
    endAttempt(model, attempt, 'rejected');
    task.state = 'open';
  }
  follow(model, task);
  for (const { agent, vote } of voters) {
    keepVote(model, agent, isAlone ? undefined : vote === verdict);
  }
  settleDue(model, task);
}

export function panelTimes({ attempts, rounds }: Task): readonly number[] {
  const cases = attempts.flatMap(({ panel }) => {
    if (panel === undefined || panel.state === 'over') return [];
    return panel.state === 'due' ? [panel.dueAt, panel.endsAt] : [panel.endsAt];
  });
  const open = rounds.filter(({ state }) => state === 'open');
  const calls = open.flatMap(({ panelists }) => panelists.filter(({ state }) => isAsked(state)));
  return [...cases, ...open.map(({ endsAt }) => endsAt), ...calls.map(({ dueAt }) => dueAt)];
}
