import { panelFor, poolOf } from './seats.ts';
import { HOUR, type Attempt, type Model, type Round, type Task } from './types.ts';

/** After this long without a decision on a result its requester may decide. */
export const FALLBACK_AFTER = 6 * HOUR;
const FRONT_MAX = 3;
const DRAW_AGAIN = 60_000;
const ROUND_TIME = HOUR / 2;

/** A result that came to wait is drawn for at once; one that is over has no panel any more. */
export function followPanels(model: Model, task: Task): void {
  if (task.verification !== 'validator') return;
  for (const attempt of task.attempts) {
    if (attempt.state === 'waiting' && attempt.panel === undefined) begin(model, task, attempt);
    if (attempt.state !== 'waiting' && attempt.panel !== undefined) endCase(model, task, attempt);
  }
}

function begin(model: Model, task: Task, attempt: Attempt): void {
  const endsAt = attempt.deliveredAt + FALLBACK_AFTER;
  attempt.panel = { state: 'queued', rounds: 0, dueAt: model.now, endsAt };
  promote(model, task);
  if (isDue(attempt)) draw(model, task, attempt);
}

function isDue({ panel }: Attempt): boolean {
  return panel?.state === 'due';
}

/** At most three results of a task have a panel: the oldest, then those whose work began first. */
function promote(model: Model, task: Task): void {
  const cases = task.attempts
    .filter(({ panel }) => panel !== undefined && panel.state !== 'over')
    .sort((a, b) => a.deliveredAt - b.deliveredAt);
  let inFront = cases.filter(({ panel }) => panel?.state !== 'queued').length;
  for (const { panel } of cases) {
    if (panel?.state !== 'queued' || inFront >= FRONT_MAX) continue;
    panel.state = 'due';
    panel.dueAt = model.now;
    inFront += 1;
  }
}

/** Releases the judges that did not vote; the next result in line has its turn. */
export function endCase(model: Model, task: Task, attempt: Attempt): void {
  const { panel } = attempt;
  if (panel === undefined || panel.state === 'over') return;
  const open = roundOf(task, attempt);
  if (open !== undefined) {
    letGo(open);
    open.state = 'cancelled';
  }
  panel.state = 'over';
  promote(model, task);
}

function roundOf({ rounds }: Task, attempt: Attempt): Round | undefined {
  return rounds.find((round) => round.attempt === attempt && round.state === 'open');
}

export function letGo({ panelists }: Round): void {
  for (const panelist of panelists) {
    if (panelist.state === 'due' || panelist.state === 'called') panelist.state = 'released';
  }
}

/** Draws, or tries again in a minute; who was drawn is the hub's to say, see `seatDrawn`. */
export function draw(model: Model, task: Task, attempt: Attempt): void {
  const { panel } = attempt;
  if (panel === undefined) throw new Error(`${attempt.name} waits for no panel`);
  const drawn = panelFor(model, task, [task.requester, attempt.worker, attempt.payee]);
  if (drawn === undefined) {
    panel.state = 'due';
    panel.dueAt = model.now + DRAW_AGAIN;
    return;
  }
  panel.state = 'round';
  panel.rounds += 1;
  task.rounds.push({
    attempt,
    n: panel.rounds,
    size: drawn.size,
    drawnAt: model.now,
    endsAt: Math.min(model.now + ROUND_TIME, panel.endsAt),
    pool: poolOf(model, drawn.pool),
    order: undefined,
    state: 'open',
    verdict: undefined,
    panelists: [],
  });
}

/** The draw as the hub made it: the first of its order sit, and are called at once. */
export function seatDrawn(round: Round, order: readonly number[]): void {
  round.order = order;
  for (const [place, agent] of order.slice(0, round.size).entries()) {
    seatAt(round, agent, place, round.drawnAt);
  }
  if (round.state !== 'open') letGo(round);
}

export function seatAt({ panelists }: Round, agent: number, place: number, dueAt: number): void {
  panelists.push({ agent, place, state: 'due', tries: 0, dueAt, vote: undefined });
}
