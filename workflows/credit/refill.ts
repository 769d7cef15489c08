import { lockLine } from '../../db/credit/lines.ts';
import { standingOn } from '../../db/credit/shares.ts';
import { balance } from '../../db/ledger/balances.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { networks } from '../../db/wallet/networks.ts';
import { refillOf } from '../../domain/lending.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { ISSUED_EACH } from '../wallet/houseMoney.ts';
import { transfer } from '../wallet/transfer.ts';
import { CREDIT } from './collect.ts';

/**
 * Makes good out of the fees what was lost to defaults, on networks that are not real. On real ones
 * the operator decides (choices credit.shares).
 */
export async function refillCredit(hub: Hub): Promise<void> {
  const known = await hub.store.read(networks);
  for (const { id, kind } of known) if (kind !== 'real') await refillOn(hub, id);
}

async function refillOn(hub: Hub, network: NetworkId): Promise<void> {
  const place = { network, asset: ASSET };
  await hub.store.write(async (tx) => {
    // As lending locks it: two processes do not make good the same loss.
    await lockLine(tx, CREDIT, network);
    const { spendable: has } = await balance(tx, CREDIT, place);
    const { spendable: fees } = await balance(tx, FEES, place);
    const lent = await standingOn(tx, network);
    const amount = refillOf({ target: ISSUED_EACH, has, lent, fees });
    if (amount === 0n) return;
    await transfer(tx, hub, {
      network,
      event: 'credit.refill',
      actor: 'hub',
      steps: [{ verb: 'move', from: FEES, to: CREDIT, amount, reason: 'recirculate' }],
    });
  });
}
