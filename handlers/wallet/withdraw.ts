import { display } from '../../domain/money.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { addressOutside } from '../../workflows/rails/addresses.ts';
import { networkRow, withdrawalRail } from '../../workflows/rails/rail.ts';
import { beginWithdrawal } from '../../workflows/rails/withdraw.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentWithdrawal } from './present/withdrawal.ts';

/** Holds an amount and queues it for its network, once per idempotencyKey. */
export const withdraw: Handler<'wallet.withdraw'> = async (call, hub) => {
  const { owner: account } = call.path;
  const { amount } = call.body;
  const network = networkNamed(hub, call.body.network, 'body.network');
  const rail = withdrawalRail(hub, await hub.store.read((db) => networkRow(db, network)));
  const { minimum, fee } = rail;
  if (minimum === undefined || fee === undefined) {
    refuse('rail-missing', {
      error: `${network} has no withdrawal rail here; missing: ${rail.missing.join('; ')}.`,
      hint: 'GET /api/v1/networks says which networks pay out; name one in body.network.',
      field: 'body.network',
    });
  }
  const address = await addressOutside(hub, network, call.body.address);
  if (amount < minimum) {
    refuse('below-minimum', {
      error:
        `A withdrawal on ${network} takes at least ${minimum} atomic units ` +
        `(${display(minimum)} USDC), the fee of ${fee} included; this one is ${amount}.`,
      hint: `Send an amount from "${minimum}"; GET /api/v1/networks has minimums and fees.`,
      field: 'body.amount',
    });
  }
  const body = await hub.once(call, async (tx) => {
    const begun = await beginWithdrawal(hub, tx, { network, account, address, amount, fee });
    return presentWithdrawal(hub, begun);
  });
  return { status: 200, body };
};
