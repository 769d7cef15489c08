import { once } from '../../db/idempotency.ts';
import { networks } from '../../db/wallet/networks.ts';
import { houseAccount } from '../../domain/account.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustTransfer } from './transfer.ts';

/** Issued to each house account at first start: 10,000 USDC (choices rails.networks). */
export const ISSUED_EACH = atomic(10_000_000_000n);
const ISSUANCE = houseAccount('external:issuance');
const HOUSE = ['demand', 'starter', 'board', 'credit', 'welcome'] as const;
const OPERATION = 'house.issue';

/** Issues house money on networks that are not real, once for all starts and processes. */
export async function issueHouseMoney(hub: Hub): Promise<void> {
  const known = await hub.store.read(networks);
  for (const { id, kind } of known) if (kind !== 'real') await issueOn(hub, id);
}

async function issueOn(hub: Hub, network: NetworkId): Promise<void> {
  const at = hub.clock.now();
  const key = { account: ISSUANCE, operation: OPERATION, key: network, digest: sha256Hex(network) };
  const outcome = await hub.store.write((tx) =>
    once(tx, key, at, async () => {
      const issued = await mustTransfer(tx, hub, {
        network,
        event: OPERATION,
        actor: 'hub',
        at,
        steps: HOUSE.map((name) => ({
          verb: 'move',
          from: ISSUANCE,
          to: houseAccount(`hub:${name}`),
          amount: ISSUED_EACH,
          reason: 'issue',
        })),
      });
      return { transferId: issued };
    }),
  );
  if ('repeated' in outcome && !outcome.repeated) {
    hub.log.info({ network, each: `${ISSUED_EACH}`, accounts: HOUSE }, 'issued house money');
  }
}
