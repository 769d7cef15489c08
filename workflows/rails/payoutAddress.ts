import { payoutAddressOf, type PayoutAddress } from '../../db/rails/payoutAddresses.ts';
import type { Reader } from '../../db/store.ts';
import type { NetworkId } from '../../domain/network.ts';
import { checksummed } from '../../domain/rails/evm.ts';
import { coolingUntil, type Withdrawal } from '../../domain/rails/withdrawal.ts';
import { iso } from '../../domain/instant.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';

/** Refuses a withdrawal to another address, or too soon after the address was changed. */
export async function mustBePaidOutTo(
  hub: Hub,
  db: Reader,
  { account, network, address }: Pick<Withdrawal, 'account' | 'network' | 'address'>,
): Promise<void> {
  const registered = await payoutAddressOf(db, account, network);
  if (registered === undefined) return;
  if (registered.address !== address) {
    refuse('address-not-payout', {
      error: `The payout address on ${network} is ${checksummed(registered.address)}.`,
      hint: `Withdraw to it, or change it with POST /api/v1/wallet/${account}/payout-address.`,
      field: 'body.address',
    });
  }
  const now = hub.clock.now();
  const until = cools(registered, network, now);
  if (until === undefined) return;
  refuse('address-cooling', {
    error: `Withdrawals open again at ${iso(until)}, 24 hours after the address was changed.`,
    hint: `Send this call again from ${iso(until)}.`,
    retryAfterSeconds: Math.ceil((until - now) / 1000),
  });
}

/** Until when withdrawals wait; only a change, and only where money is real, makes them wait. */
export function cools(
  { changedAt }: Pick<PayoutAddress, 'changedAt'>,
  network: NetworkId,
  now: Parameters<typeof coolingUntil>[1],
): ReturnType<typeof coolingUntil> {
  return network === 'base' ? coolingUntil(changedAt, now) : undefined;
}
