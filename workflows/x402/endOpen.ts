import { LedgerFrozen } from '../../db/ledger/memory.ts';
import { seconds } from '../../domain/instant.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { logFailure } from '../kernel/logFailure.ts';

/** Open payments, incoming and outgoing, that a job ends in one run, and when it looks again. */
export const OPEN_AT_ONCE_MAX = 50;
export const LOOK_AGAIN_SECONDS = seconds(10);

/** Ends each by `end`; one that fails must not spare the others and is looked at `later`. */
export async function endOpen<Payment extends { readonly id: string }>(
  hub: Hub,
  due: readonly Payment[],
  end: (payment: Payment) => Promise<void>,
  later: (payment: Payment) => Promise<void>,
): Promise<void> {
  for (const payment of due) {
    try {
      await end(payment);
    } catch (error) {
      // A frozen ledger has been reported.
      if (error instanceof LedgerFrozen) continue;
      const isDown = error instanceof ChainUnavailable;
      const named = { payment: payment.id };
      if (!isDown) logFailure(hub.log, error, 'ending a payment failed', named);
      await later(payment);
    }
  }
}
