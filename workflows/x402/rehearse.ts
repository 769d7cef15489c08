import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Account } from '../../domain/account.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustMove, readsOfMove, type TransferRequest } from '../wallet/transfer.ts';

/** The transaction that begins a paid call; `decide` returns whether it holds money. */
interface Beginning {
  readonly needs: readonly Need[];
  decide(db: Decider): boolean;
}

/** A transaction that stores nothing, because it always throws. */
interface Undone {
  readonly needs: readonly Need[];
  decide(db: Decider): never;
}

/**
 * Runs the transaction that begins the call, as `undone` makes it, in the name of the account that
 * would pay. Every refusal of that transaction is thrown before a payment is settled.
 */
export type RehearseCall = (
  account: Account,
  undone: (beginning: Beginning) => Undone,
) => Promise<unknown>;

/** Thrown at the end of a rehearsal, so that its transaction leaves nothing behind. */
class Rehearsed extends Error {
  readonly holdsMoney: boolean;

  constructor(holdsMoney: boolean) {
    super('a rehearsed transaction is not stored');
    this.name = 'Rehearsed';
    this.holdsMoney = holdsMoney;
  }
}

/**
 * Returns whether the call would hold money once `topUp` is credited, or throws its refusal. A call
 * that was made before holds none, and neither does one that reaches no agent.
 */
export async function wouldHold(
  hub: Hub,
  rehearse: RehearseCall,
  account: Account,
  topUp: TransferRequest | undefined,
): Promise<boolean> {
  const undone = ({ needs, decide }: Beginning): Undone => ({
    needs: [...needs, ...(topUp === undefined ? [] : readsOfMove(hub, topUp))],
    decide(db) {
      if (topUp !== undefined) mustMove(db, hub, topUp);
      throw new Rehearsed(decide(db));
    },
  });
  try {
    await rehearse(account, undone);
    return false;
  } catch (thrown) {
    if (thrown instanceof Rehearsed) return thrown.holdsMoney;
    throw thrown;
  }
}
