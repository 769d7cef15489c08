import assert from 'node:assert/strict';
import type { Agent } from '../../harness/agents.ts';
import type { FakeClock } from '../../harness/clock.ts';
import { act, view } from '../../poker/_table.ts';
import type { Random } from '../../kinds/simulate/random.ts';
import type { Agreement } from '../../kinds/simulate/agreement.ts';
import type { TableModel } from './tableModel.ts';
import type { Legal } from './handModel.ts';

/** How those whose turn it is play, at cash tables and in tournaments. */
export interface Manners {
  readonly clock: FakeClock;
  readonly random: Random;
  readonly same: Agreement;
  readonly agentOf: (account: string) => Agent;
  /** One of them is away from so many of a hundred turns, and they run out. */
  readonly away: Agent | undefined;
  readonly awayPercent: number;
  readonly actSeconds: number;
  readonly allInPercent?: number;
}

/** Moves the seat on turn, by the hub and by the model; without one, a second passes. */
export async function playTurn(
  { id, model }: { readonly id: string; readonly model: TableModel },
  { clock, random, same, agentOf, away, awayPercent, actSeconds, allInPercent }: Manners,
): Promise<void> {
  const { hand } = model;
  if (hand?.toAct === undefined) return clock.advance(1);
  const agent = agentOf(model.at(hand.toAct).account);
  if (agent === away && random.chance(awayPercent)) return clock.advance(actSeconds);
  const seen = await view(agent, id);
  const legal = hand.legal();
  assert.deepEqual(seen['legal'], legal);
  const { chosen, body, to, isIllegal } = drawMove(random, legal, allInPercent);
  const answer = await act(agent, id, seen['token'], body);
  if (!same(answer, isIllegal ? 'illegal-move' : undefined, 'act')) return model.isThere();
  await model.play(chosen.move, to ?? 0, clock.now());
}

/** A move to try: mostly a legal one, now and then one that the list does not have. */
interface Drawn {
  readonly chosen: Legal;
  readonly isIllegal: boolean;
  readonly to: number | undefined;
  readonly body: { readonly move: string; readonly amount?: string };
}

function drawMove(random: Random, legal: readonly Legal[], allInPercent = 20): Drawn {
  const isIllegal = random.chance(4);
  const often = (move: string): number =>
    move === 'fold' ? 20 : move === 'allin' ? allInPercent : 100;
  const sane = legal.filter(({ move }) => random.chance(often(move)));
  const chosen = random.pick(sane.length > 0 ? sane : legal);
  const [least, most] = [Number(chosen.minimum), Number(chosen.maximum)];
  const far = Number.isNaN(least) ? undefined : Math.min(most, least + random.below(400));
  const to = isIllegal && far !== undefined ? most + 1 : far;
  const move = isIllegal && to === undefined ? otherThan(legal) : chosen.move;
  return { chosen, isIllegal, to, body: { move, ...(to !== undefined && { amount: `${to}` }) } };
}

function otherThan(legal: readonly Legal[]): string {
  return legal.some(({ move }) => move === 'check') ? 'call' : 'check';
}
