import { createRequire } from 'node:module';
import type { Card } from '../../../domain/poker/cards.ts';

/**
 * poker-evaluator with its table of 124 MB, which conformance/kinds/peers/install.mjs installs: a place
 * for every hand so far, and at seven cards the worth of the hand.
 */
interface Evaluator {
  /** The place after one more card, which is added to the place before. */
  evalCard(place: number): number;
  evalHand(cards: readonly number[]): { readonly value: number };
}

const FIRST_PLACE = 53;

export function openEvaluator(): Evaluator & { readonly first: number } {
  const load = createRequire(new URL('../../kinds/peers/package.json', import.meta.url));
  const { evalCard, evalHand } = load('poker-evaluator') as Evaluator;
  return { evalCard, evalHand, first: FIRST_PLACE };
}

/** A card as it counts there: by rank, then by suit, from 1. */
export function peersCard(card: Card): number {
  return (card % 13) * 4 + Math.floor(card / 13) + 1;
}
