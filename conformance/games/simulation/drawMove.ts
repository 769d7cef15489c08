import type { Random } from '../../simulate/random.ts';
import type { Legal } from './handModel.ts';

/** A move to try: mostly a legal one, now and then one that the list does not have. */
export interface Drawn {
  readonly chosen: Legal;
  readonly isIllegal: boolean;
  readonly to: number | undefined;
  readonly body: { readonly move: string; readonly amount?: string };
}

export function drawMove(random: Random, legal: readonly Legal[], allInPercent = 20): Drawn {
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

/** A move that the list does not have. */
function otherThan(legal: readonly Legal[]): string {
  return legal.some(({ move }) => move === 'check') ? 'call' : 'check';
}
