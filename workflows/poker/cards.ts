import { cardsOf } from '../../domain/poker/dealing.ts';
import type { Deal } from '../../domain/poker/hand.ts';
import type { Table } from '../../domain/poker/table.ts';
import { tableSecrets, type Dealer } from './secrets.ts';

/** The cards of the hand under way; the caller shows what may be seen of them. */
export function dealFor(hub: Dealer, { dealt, id }: Table): Deal {
  if (dealt === undefined) throw new Error('no hand is under way');
  return cardsOf(dealt, id, tableSecrets(hub).open(dealt.seed));
}
