import { balance } from '../../db/ledger/balances.ts';
import { openTasksOf } from '../../db/tasks/tasks.ts';
import type { Writer } from '../../db/store.ts';
import { STARTER_REWARD, STARTER_STOCK } from '../../domain/tasks/limits.ts';
import { STARTER_ACCOUNT } from '../../domain/tasks/model.ts';
import { publish } from '../../domain/tasks/publish.ts';
import { starterDraft } from '../../domain/tasks/starter.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { publishInside } from './commit.ts';
import { orRefuse } from './refuse.ts';

/** Keeps the shelf of starter tasks full, as far as the money goes (choices bonuses.starter). */
export async function restockStarters(hub: Hub): Promise<void> {
  for (let count = 0; count < STARTER_STOCK; count += 1) {
    if (!(await hub.store.write((tx) => shelveOne(tx, hub)))) return;
  }
}

/** False when the shelf is full or the money is out. */
async function shelveOne(tx: Writer, hub: Hub): Promise<boolean> {
  const { network } = hub.settings;
  if ((await openTasksOf(tx, STARTER_ACCOUNT, network)) >= STARTER_STOCK) return false;
  const { spendable } = await balance(tx, STARTER_ACCOUNT, { network, asset: ASSET });
  if (spendable < STARTER_REWARD) {
    hub.log.warn({ network }, 'hub:starter is out of money; the shelf is not refilled');
    return false;
  }
  const now = hub.clock.now();
  const change = orRefuse(publish(starterDraft(network), hub.ids.uuid(), now));
  await publishInside(tx, hub, change, { actor: STARTER_ACCOUNT, at: now });
  return true;
}
