import { strict as assert } from 'node:assert';
import type { Decider } from '../../db/batch/transaction.ts';
import { defined } from '../../domain/defined.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuseFunds } from '../../workflows/wallet/funds.ts';
import { ASSET } from '../../domain/network.ts';
import { mustBeSwept, mustTakePayments, receiving } from '../../workflows/wallet/receiver.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { move, readsOfMove, type TransferRequest } from '../../workflows/wallet/transfer.ts';

/** One move from the owner to another account of the same network, once per idempotencyKey. */
export const pay: Handler<'wallet.pay'> = async (call, hub) => {
  const { owner: from } = call.path;
  const { to, amount, memo } = call.body;
  mustTakePayments(to, 'body.to');
  const network = networkNamed(hub, call.body.network, 'body.network');
  mustBeSwept(hub, to, network, 'body.to');
  mustMove(call);
  const receiver = receiving(hub, to, 'body.to');
  const request: TransferRequest = {
    network,
    event: 'wallet.pay',
    actor: from,
    ...defined({ memo }),
    steps: [{ verb: 'move', from, to, amount, reason: 'pay' }],
  };
  const needs = [...receiver.needs, ...readsOfMove(hub, request)];
  const decide = (db: Decider) => {
    receiver.mustBeSpendable(db);
    const at = hub.clock.now();
    const posted = move(db, hub, { ...request, at });
    if ('refused' in posted) return refuseFunds(hub, posted, { network, field: 'body.amount' });
    const after = posted.balances.get(from);
    assert(after !== undefined, 'a payment touches the balance that it leaves');
    return {
      transferId: posted.transferId,
      from,
      to,
      amount,
      asset: ASSET,
      network,
      ...defined({ memo }),
      balanceAfter: after.posted,
      spendableAfter: after.posted - after.held,
      at,
    } as const;
  };
  return { status: 200, body: await hub.transactOnce(call, { needs, decide }) };
};

/** Refuses what can be refused without a read of the ledger. */
function mustMove({ path, body }: Call<'wallet.pay'>): void {
  if (body.amount === 0n) {
    refuse('below-minimum', {
      error: 'A payment moves at least 1 atomic unit; this one moves 0.',
      hint: 'Send an amount from "1".',
      field: 'body.amount',
    });
  }
  if (body.to === path.owner) {
    refuse('self-dealing', {
      error: 'body.to is the paying account itself; nothing would move.',
      hint: 'Name another account in `to`.',
      field: 'body.to',
    });
  }
}
