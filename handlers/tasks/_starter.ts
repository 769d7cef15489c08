import { strict as assert } from 'node:assert';
import { post } from '../../db/ledger/post.ts';
import { openTasksOf } from '../../db/tasks/tasks.ts';
import { networks } from '../../db/wallet/networks.ts';
import type { Writer } from '../../db/store.ts';
import { houseAccount } from '../../domain/account.ts';
import { transferId } from '../../domain/ledger/transfer.ts';
import { atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { STARTER_REWARD, STARTER_STOCK } from '../../domain/task/limits.ts';
import { STARTER_ACCOUNT } from '../../domain/task/model.ts';
import { publish } from '../../domain/task/publish.ts';
import { starterDraft } from '../../domain/task/starter.ts';
import { HubError } from '../../server/errors.ts';
import type { Hub } from '../../server/hub.ts';
import { commitChange } from './_commit.ts';
import { granted } from './_refuse.ts';

/** Keeps the shelf of starter tasks full, as far as the money goes (choices 2.8). */
export async function restockStarters(hub: Hub): Promise<void> {
  const { network } = hub.settings;
  try {
    await hub.store.write((tx) => restock(tx, hub, network));
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'insufficient-funds') throw error;
    hub.log.warn({ network }, 'hub:starter is out of money; the shelf is not refilled');
  }
}

async function restock(tx: Writer, hub: Hub, network: NetworkId): Promise<void> {
  const missing = STARTER_STOCK - (await openTasksOf(tx, STARTER_ACCOUNT, network));
  if (missing <= 0) return;
  const found = (await networks(tx)).find((each) => each.id === network);
  if (found?.kind === 'test') await issue(tx, hub, network, missing);
  for (let count = 0; count < missing; count += 1) {
    const now = hub.clock.now();
    const change = granted(publish(starterDraft(network), hub.ids.uuid(), now));
    await commitChange(tx, hub, undefined, change, { actor: STARTER_ACCOUNT, at: now });
  }
}

/** Test money is made for the shelf; on a real network hub:starter spends what it was given. */
async function issue(tx: Writer, hub: Hub, network: NetworkId, tasks: number): Promise<void> {
  const posted = await post(tx, {
    id: transferId(hub.ids.uuid()),
    at: hub.clock.now(),
    network,
    asset: 'USDC',
    event: 'starter.issued',
    ref: { kind: 'network', id: network },
    actor: 'hub',
    steps: [
      {
        verb: 'move',
        from: houseAccount('external:issuance'),
        to: STARTER_ACCOUNT,
        amount: atomic(STARTER_REWARD * BigInt(tasks)),
        reason: 'issue',
      },
    ],
  });
  assert(!('refused' in posted), 'issuance has no limit');
}
