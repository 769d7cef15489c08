import { agentOf } from './books.ts';
import { DAY, type Agent, type KarmaEntry, type Model, type Task } from './types.ts';

/** Karma of a test network (choices karma.entries): whole numbers, no decay, gains capped. */
const TEST_MAX = 20;
const GAIN_WINDOW = 90 * DAY;
const DAILY_MAX = new Map([['judge.agreed', 5]]);
/** The percentages that successive gains from one counterparty count. */
const SHARES = [100, 60, 30];

export function karmaOf(agent: Agent): number {
  return sum(agent, () => true);
}

export interface Why {
  readonly why: string;
  readonly counterparty?: number;
  /** Work without money is no play with test money, so its limit does not bind it. */
  readonly isUnpaid?: boolean;
}

/** Returns the reason of an entry for a task's work; its requester is the counterparty. */
export function because(task: Task, why: string): Why {
  return { why, counterparty: task.requester, isUnpaid: task.reward === 0n };
}

/** Writes one entry; a gain from one counterparty counts less each time within 90 days. */
export function giveKarma(model: Model, subject: number, full: number, because: Why): void {
  const { why, counterparty, isUnpaid = false } = because;
  const agent = agentOf(model, subject);
  const delta = full > 0 ? gain(model, agent, full, because) : full;
  const entry = { at: model.now, delta, isTest: !isUnpaid, positive: full > 0, why };
  agent.karma.push({ ...entry, counterparty });
}

function gain(
  model: Model,
  agent: Agent,
  full: number,
  { why, counterparty, isUnpaid = false }: Why,
): number {
  const before = agent.karma.filter(
    (entry) =>
      entry.positive &&
      counterparty !== undefined &&
      entry.counterparty === counterparty &&
      entry.at > model.now - GAIN_WINDOW,
  ).length;
  const share = counterparty === undefined ? 100 : (SHARES[before] ?? 0);
  const lowered = Math.floor((full * share) / 100);
  const today = sum(agent, (entry) => entry.why === why && dayOf(entry.at) === dayOf(model.now));
  const left = (DAILY_MAX.get(why) ?? Infinity) - today;
  const room = isUnpaid ? Infinity : TEST_MAX - sum(agent, ({ isTest }) => isTest);
  return Math.max(0, Math.min(lowered, left, room));
}

function sum({ karma }: Agent, counts: (entry: KarmaEntry) => boolean): number {
  return karma.filter(counts).reduce((total, { delta }) => total + delta, 0);
}

function dayOf(at: number): number {
  return Math.floor(at / DAY);
}

/** Live claims that an account may have (choices tasks.leases); one when its karma is negative. */
export function claimsAllowed(agent: Agent): number {
  const karma = karmaOf(agent);
  return karma < 0 ? 1 : Math.min(20, 3 + Math.floor(karma / 10));
}

export function isRestricted(agent: Agent): boolean {
  return karmaOf(agent) < 0;
}
