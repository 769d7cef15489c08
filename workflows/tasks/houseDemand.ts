import { FEES } from '../../db/ledger/shards.ts';
import { supplyIn } from '../../db/ledger/supply.ts';
import { balance } from '../../db/ledger/balances.ts';
import {
  demandTargets,
  hasDemandDay,
  insertDemand,
  openDemandDay,
  spendDemand,
  type DemandDay,
} from '../../db/tasks/demand.ts';
import type { Writer } from '../../db/store.ts';
import { instant } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import {
  DEMAND_ACCOUNT,
  demandBudget,
  demandDraft,
  type DemandKind,
  type DemandTarget,
} from '../../domain/tasks/demand.ts';
import { DEMAND_REST, DEMAND_REWARD } from '../../domain/tasks/limits.ts';
import { publish } from '../../domain/tasks/publish.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { transfer } from '../wallet/transfer.ts';
import { publishInside } from './commit.ts';
import { orRefuse } from './refuse.ts';

const DAY_MS = 86_400_000;
const EACH_RUN_MAX = 50;

/**
 * Asks for looks at listings, as far as the day's budget goes (choices bonuses.demand). Without a
 * listing to look at nothing moves, the fees included.
 */
export async function publishDemand(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const { network } = hub.settings;
  const since = instant(now - DEMAND_REST * 1000);
  const looks = await hub.store.readOne((db) => demandTargets(db, since, EACH_RUN_MAX));
  if (looks.length === 0) return;
  const today: DemandDay = { network, day: utcDay(now) };
  await openDay(hub, today);
  for (const look of looks) {
    if (!(await hub.store.write((tx) => ask(tx, hub, today, look)))) return;
  }
}

/** Fixes the budget of the day and moves it from the fees to the requester, once. */
async function openDay(hub: Hub, today: DemandDay): Promise<void> {
  const place = { network: today.network, asset: ASSET };
  const yesterday = { from: instant(today.day - DAY_MS), to: today.day };
  const found = await hub.store.read(async (db) =>
    (await hasDemandDay(db, today))
      ? undefined
      : {
          taken: (await supplyIn(db, place, yesterday)).feesTaken,
          pool: (await balance(db, FEES, place)).spendable,
        },
  );
  if (found === undefined) return;
  const half = demandBudget(atomic(found.taken));
  const budget = found.pool < half ? atomic(found.pool) : half;
  await hub.store.write(async (tx) => {
    if (await openDemandDay(tx, today, budget)) await recirculate(tx, hub, today, budget);
  });
}

async function recirculate(
  tx: Writer,
  hub: Hub,
  { network }: DemandDay,
  amount: Atomic,
): Promise<void> {
  if (amount === 0n) return;
  const posted = await transfer(tx, hub, {
    network,
    event: 'house.recirculate',
    actor: 'hub',
    steps: [{ verb: 'move', from: FEES, to: DEMAND_ACCOUNT, amount, reason: 'recirculate' }],
  });
  if ('refused' in posted)
    throw new Error('the fees were spent meanwhile; the next run asks again');
}

/** False when the day has nothing left. */
async function ask(
  tx: Writer,
  hub: Hub,
  today: DemandDay,
  { kind, target }: { readonly kind: DemandKind; readonly target: DemandTarget },
): Promise<boolean> {
  if (!(await spendDemand(tx, today, DEMAND_REWARD))) return false;
  const at = hub.clock.now();
  const change = orRefuse(publish(demandDraft(kind, target, today.network), hub.ids.uuid(), at));
  await publishInside(tx, hub, change, { actor: DEMAND_ACCOUNT, at });
  await insertDemand(tx, { listingId: target.listingId, kind, taskId: change.task.id, at });
  return true;
}
