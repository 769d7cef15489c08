import { agentOf } from './books.ts';
import { DAY, type Agent, type Model } from './types.ts';

/** Karma of a test network (choices 4.3): whole numbers, no decay, gains capped. */
const TEST_MAX = 20;
const GAIN_WINDOW = 90 * DAY;
/** What the n-th gain from one counterparty counts, in percent. */
const SHARES = [100, 60, 30];

export function karmaOf(agent: Agent): number {
  return agent.karma.reduce((sum, { delta }) => sum + delta, 0);
}

/** Writes one entry; a gain from somebody counts less each time within 90 days. */
export function giveKarma(
  model: Model,
  subject: number,
  full: number,
  why: string,
  counterparty?: number,
): void {
  const agent = agentOf(model, subject);
  const delta = full > 0 ? gain(model, agent, full, counterparty) : full;
  agent.karma.push({ at: model.now, delta, positive: full > 0, counterparty, why });
}

function gain(model: Model, agent: Agent, full: number, counterparty: number | undefined): number {
  const before = agent.karma.filter(
    (entry) =>
      entry.positive &&
      counterparty !== undefined &&
      entry.counterparty === counterparty &&
      entry.at > model.now - GAIN_WINDOW,
  ).length;
  const share = counterparty === undefined ? 100 : (SHARES[before] ?? 0);
  const lowered = Math.floor((full * share) / 100);
  return Math.max(0, Math.min(lowered, TEST_MAX - karmaOf(agent)));
}

/** Live claims that an account may have (choices 2.4); one when its standing is below zero. */
export function claimsAllowed(agent: Agent): number {
  const karma = karmaOf(agent);
  return karma < 0 ? 1 : Math.min(20, 3 + Math.floor(karma / 10));
}

export function isRestricted(agent: Agent): boolean {
  return karmaOf(agent) < 0;
}
