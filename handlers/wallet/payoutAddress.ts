import { payoutAddressOf, setPayoutAddress } from '../../db/rails/payoutAddresses.ts';
import { isLinkedBy } from '../../db/tasks/links.ts';
import { ZERO } from '../../domain/money.ts';
import { ASSET } from '../../domain/network.ts';
import { checksummed, type Hex } from '../../domain/rails/evm.ts';
import { ownershipText, sharedAddress } from '../../domain/rails/ownership.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { addressOutside } from '../../workflows/rails/addresses.ts';
import { linkWallet, mustBeSignedBy } from '../../workflows/rails/ownership.ts';
import { networkRow } from '../../workflows/rails/rail.ts';
import { cools } from '../../workflows/rails/payoutAddress.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { sweepWallet } from '../../workflows/x402/credit.ts';

/**
 * Sets where withdrawals of an account go; a change on a real network makes them wait a day. Only a
 * proof links the account to others of the same wallet.
 */
export const payoutAddress: Handler<'wallet.payoutAddress'> = async (call, hub) => {
  const { owner } = call.path;
  const network = networkNamed(hub, call.body.network, 'body.network');
  const { minWithdraw } = await hub.store.read((db) => networkRow(db, network));
  if (minWithdraw === null) {
    refuse('rail-missing', {
      error: `${network} money never leaves the hub, so it has no payout address.`,
      hint: 'GET /api/v1/networks says which networks pay out; name one in body.network.',
      field: 'body.network',
    });
  }
  const address = await addressOutside(hub, network, call.body.address);
  const claimed = { account: owner, network, address };
  const { proof } = call.body;
  if (proof !== undefined) await mustBeSignedBy(hub, claimed, proof as Hex);
  const now = hub.clock.now();
  const body = await hub.once(call, async (tx) => {
    if (proof !== undefined) await linkWallet(tx, hub, claimed);
    const changed = await setPayoutAddress(tx, owner, network, address, now);
    const row = await payoutAddressOf(tx, owner, network);
    if (row === undefined) throw new Error('an address that was set is there');
    const proved = await isLinkedBy(tx, owner, sharedAddress(address));
    const swept = proof === undefined ? ZERO : await sweepWallet(tx, hub, network, address, owner);
    const until = cools(row, network, now);
    return {
      owner,
      address: checksummed(row.address),
      asset: ASSET,
      network,
      setAt: row.setAt,
      changed,
      proved,
      proofText: ownershipText(owner, address),
      ...(proof !== undefined && { swept }),
      ...(changed && row.previous !== null && { previousAddress: checksummed(row.previous) }),
      coolingUntil: until,
    };
  });
  return { status: 200, body };
};
