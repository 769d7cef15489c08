import { agentOf, hold, release, spendableOf } from './books.ts';
import { giveKarma } from './karma.ts';
import {
  HOUR,
  type Agent,
  type Expected,
  type Model,
  type Seat,
  type Seated,
  type Task,
} from './types.ts';

/**
 * Seats (choices validators.seats, validators.record): a stake is held while the seat is taken, and
 * carries its ceiling.
 */
const CEILING_FREE = 1_000_000n;
const CEILING_PER_STAKE = 5n;
const WEIGHT_MIN = 1_000n;
const MINUTE = 60_000;
/** The share of all judges of a panel, in basis points, and the reward from which five sit. */
const PANEL_BPS = 100;
const LARGE_REWARD = 100_000_000n;
const NO_SHOWS_MAX = 3;
const LAST_PANELS = 20;
const AGAINST_MAX = 10;
/** The one skill that seats of a town judge, those aside that judge any task. */
export const SEAT_SKILL = 'law';

const NEW_SEAT: Seat = {
  state: 'closed',
  stake: 0n,
  isForAll: false,
  minFeeBps: 0,
  paused: undefined,
  probeAt: undefined,
  probesFailed: 0,
  rounds: 0,
  agreed: 0,
  disagreed: 0,
  noShows: 0,
  overturned: 0,
  missedInRow: 0,
  lastTwenty: [],
};

export interface SeatAsked {
  readonly stake?: bigint | undefined;
  readonly isForAll?: boolean | undefined;
  readonly minFeeBps?: number | undefined;
}

/** A second call raises the stake; only resigning gives it back. */
export function takeSeat(model: Model, by: number, asked: SeatAsked): Expected {
  const agent = agentOf(model, by);
  const before = agent.seat ?? NEW_SEAT;
  const stake = asked.stake ?? before.stake;
  if (before.state === 'retired') return { refused: 'seat-retired' };
  if (stake < before.stake) return { refused: 'seat-exists' };
  if (wasJustSilent(model, before)) return { refused: 'endpoint-silent' };
  if (spendableOf(agent) < stake - before.stake) return { refused: 'insufficient-funds' };
  if (stake > before.stake) hold(agent, 'stake', stake - before.stake);
  const isProven = before.state === 'seated' && before.paused === undefined;
  agent.seat = {
    ...before,
    state: 'seated',
    stake,
    isForAll: asked.isForAll ?? false,
    minFeeBps: asked.minFeeBps ?? 0,
    paused: isProven ? undefined : 'probe-pending',
    probeAt: isProven ? undefined : model.now,
    probesFailed: 0,
  };
  const paused = agent.seat.paused;
  return { ok: { state: 'seated', stake: String(stake), pausedReason: paused } };
}

/** An address is not called on and on by requests for its seat (choices validators.probes). */
function wasJustSilent(model: Model, { state, probeAt, probesFailed }: Seat): boolean {
  if (state !== 'seated' || probeAt === undefined || probesFailed === 0) return false;
  return model.now < probeAt - pauseAfter(probesFailed) + MINUTE;
}

/** After a synthetic case that was answered badly: a minute, doubling to an hour. */
function pauseAfter(failed: number): number {
  return Math.min(MINUTE * 2 ** (failed - 1), HOUR);
}

export function probeSeats(model: Model): void {
  for (const agent of model.agents) {
    if ((agent.seat?.probeAt ?? Infinity) <= model.now) probeSeat(model, agent);
  }
}

/** A synthetic case that is answered well lifts the pause. */
export function probeSeat(model: Model, { seat, isProbedWell }: Agent): void {
  if (seat === undefined) return;
  if (isProbedWell) {
    Object.assign(seat, { paused: undefined, probeAt: undefined, probesFailed: 0, missedInRow: 0 });
    return;
  }
  seat.probesFailed += 1;
  if (seat.paused === 'probe-pending') seat.paused = 'probe-failed';
  seat.probeAt = model.now + pauseAfter(seat.probesFailed);
}

export function resign(model: Model, by: number): Expected {
  const agent = agentOf(model, by);
  const { seat } = agent;
  if (seat === undefined || seat.state === 'closed') return { refused: 'no-seat' };
  if (seat.state === 'retired') return { refused: 'seat-retired' };
  const isBusy = [...model.tasks.values()].some((task) => isDrawnOn(task, by));
  if (isBusy) return { refused: 'seat-busy' };
  const { stake } = seat;
  if (stake > 0n) release(agent, 'stake', stake);
  endSeat(seat, 'closed');
  return { ok: { state: 'closed', stakeReturned: String(stake) } };
}

function isDrawnOn({ dispute, rounds }: Task, agent: number): boolean {
  if (dispute?.state === 'drawn' && dispute.arbiter === agent) return true;
  return rounds.some(
    ({ state, panelists }) =>
      state === 'open' &&
      panelists.some((each) => each.agent === agent && each.state !== 'no-show'),
  );
}

function endSeat(seat: Seat, state: 'closed' | 'retired'): void {
  Object.assign(seat, { state, stake: 0n, paused: undefined, probeAt: undefined, probesFailed: 0 });
}

export function mayJudge(seat: Seat | undefined): boolean {
  return seat?.state === 'seated' && seat.paused === undefined;
}

/**
 * Who may be drawn: within its ceiling, for its skill, and no party (choices validators.ceiling,
 * disputes.arbiter).
 */
export function eligibleFor(
  model: Model,
  { reward, skills }: Task,
  parties: readonly (number | undefined)[],
): readonly number[] {
  return [...model.agents.keys()].filter((agent) => {
    const { seat } = agentOf(model, agent);
    if (seat === undefined || !mayJudge(seat) || parties.includes(agent)) return false;
    if (!seat.isForAll && !skills.includes(SEAT_SKILL)) return false;
    return CEILING_FREE + CEILING_PER_STAKE * seat.stake >= reward;
  });
}

/** The largest panel that the reward asks for and enough of them judge for. */
export function panelFor(
  model: Model,
  task: Task,
  parties: readonly number[],
): { readonly size: number; readonly pool: readonly number[] } | undefined {
  const eligible = eligibleFor(model, task, parties);
  for (const size of task.reward > LARGE_REWARD ? [5, 3, 1] : [3, 1]) {
    const least = Math.floor(PANEL_BPS / size);
    const pool = eligible.filter((agent) => (agentOf(model, agent).seat?.minFeeBps ?? 0) <= least);
    if (pool.length >= size) return { size, pool };
  }
  return undefined;
}

export function poolOf(model: Model, agents: readonly number[]): readonly Seated[] {
  return agents.map((agent) => {
    const stake = agentOf(model, agent).seat?.stake ?? 0n;
    return { agent, weight: stake > WEIGHT_MIN ? stake : WEIGHT_MIN };
  });
}

/** A draw that it did not answer; the third in a row pauses it. */
export function miss(model: Model, agent: number, isUnpaid: boolean): void {
  const { seat } = agentOf(model, agent);
  if (seat === undefined) throw new Error(`${agent} has no seat`);
  seat.noShows += 1;
  seat.missedInRow += 1;
  giveKarma(model, agent, -1, { why: 'judge.no-show', isUnpaid });
  if (seat.missedInRow < NO_SHOWS_MAX || seat.state !== 'seated') return;
  Object.assign(seat, { paused: 'no-shows', probeAt: model.now, probesFailed: 0 });
}

/** A vote in a decided round; half of twenty panels against it burn the stake. */
export function keepVote(model: Model, judge: number, isWithMajority: boolean | undefined): void {
  const agent = agentOf(model, judge);
  const { seat } = agent;
  if (seat === undefined) throw new Error(`${judge} has no seat`);
  seat.rounds += 1;
  seat.missedInRow = 0;
  if (isWithMajority !== undefined) {
    seat.agreed += isWithMajority ? 1 : 0;
    seat.disagreed += isWithMajority ? 0 : 1;
    seat.lastTwenty = [...seat.lastTwenty, isWithMajority].slice(-LAST_PANELS);
  }
  if (seat.state !== 'seated' || againstIn(seat) < AGAINST_MAX) return;
  if (seat.stake > 0n) release(agent, 'stake', seat.stake);
  agent.balance -= seat.stake;
  endSeat(seat, 'retired');
  giveKarma(model, judge, -20, { why: 'seat.retired' });
}

export function againstIn({ lastTwenty }: Seat): number {
  return lastTwenty.filter((isWith) => !isWith).length;
}
