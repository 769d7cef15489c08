import { karmaFigures, type KarmaFigures } from '../../../db/karma/figures.ts';
import { standing } from '../../../db/karma/entries.ts';
import type { Reader } from '../../../db/store.ts';
import type { Account } from '../../../domain/account.ts';
import { tierOf } from '../../../domain/karma.ts';
import { lostPoints } from '../../../domain/karmaFigures.ts';
import { ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

export async function presentStanding(
  db: Reader,
  account: Account,
): Promise<Schemas['KarmaStanding']> {
  const { total } = await standing(db, account);
  return { total, tier: tierOf(total), ...presentFigures(await karmaFigures(db, account)) };
}

/** Karma with its price, or nothing until it was measured. */
export function presentFigures(figures: KarmaFigures | undefined): {
  readonly figures?: Schemas['KarmaFigures'];
} {
  if (figures === undefined) return {};
  const { recorded, discounted, losses, unmeasured, at } = figures;
  return {
    figures: {
      recorded,
      discounted,
      lost: { ...lostPoints(losses), unmeasured },
      price: `${losses.price}`,
      asset: ASSET,
      measuredAt: at,
    },
  };
}
