import { once } from '../../db/idempotency.ts';
import { balance } from '../../db/ledger/balances.ts';
import { newestTagged, openTasksOf, savePayout } from '../../db/tasks/tasks.ts';
import type { Reader } from '../../db/store.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { STARTER_REWARD, WELCOME_AMOUNT } from '../../domain/tasks/limits.ts';
import { BOARD_ACCOUNT, STARTER_ACCOUNT, type BonusPayout } from '../../domain/tasks/model.ts';
import { publish } from '../../domain/tasks/publish.ts';
import {
  BONUS_KINDS,
  bonusHow,
  bonusStatus,
  bonusTag,
  bonusThread,
  type BonusKind,
} from '../../domain/tasks/bonusThread.ts';
import type { Hub } from '../kernel/hub.ts';
import { ASSET } from '../../domain/network.ts';
import { publishInside } from './commit.ts';
import { orRefuse } from './refuse.ts';
import { WELCOME_NETWORK, welcomeMoney } from './welcome.ts';

/** Keeps one thread open for each standing bonus, and says in it whether it can be paid. */
export async function keepBonusThreads(hub: Hub): Promise<void> {
  for (const kind of BONUS_KINDS) await keepThread(hub, kind);
}

async function keepThread(hub: Hub, kind: BonusKind): Promise<void> {
  const { payout, newest } = await hub.store.read(async (db) => ({
    payout: await payoutOf(db, hub, kind),
    newest: await newestTagged(db, BOARD_ACCOUNT, bonusTag(kind)),
  }));
  const now = hub.clock.now();
  if (newest === undefined || newest.task.deadline <= now) {
    await open(hub, kind, payout, newest?.task.id ?? 'none');
  } else if (newest.task.payout?.status !== payout.status) {
    await hub.store.write((tx) => savePayout(tx, newest.task.id, payout));
  }
}

async function payoutOf(db: Reader, hub: Hub, kind: BonusKind): Promise<BonusPayout> {
  const now = hub.clock.now();
  const network = kind === 'welcome' ? WELCOME_NETWORK : hub.settings.network;
  const amount = kind === 'welcome' ? WELCOME_AMOUNT : STARTER_REWARD;
  const money = kind === 'welcome' ? await welcomeMoney(db, now) : await starterMoney(db, hub);
  return { kind, amount, network, how: bonusHow(kind, network), status: bonusStatus(money) };
}

async function starterMoney(db: Reader, hub: Hub) {
  const { network } = hub.settings;
  const { spendable } = await balance(db, STARTER_ACCOUNT, { network, asset: ASSET });
  const shelved = await openTasksOf(db, STARTER_ACCOUNT, network);
  return { funded: shelved > 0 || spendable >= STARTER_REWARD, leftToday: true };
}

/** Once after each: of two processes that miss the same thread, one opens the next. */
async function open(hub: Hub, kind: BonusKind, payout: BonusPayout, after: string): Promise<void> {
  const at = hub.clock.now();
  const key = `${kind} after ${after}`;
  const scope = { account: BOARD_ACCOUNT, operation: 'house.thread', key, digest: sha256Hex(key) };
  await hub.store.write((tx) =>
    once(tx, scope, at, async () => {
      const change = orRefuse(publish(bonusThread(payout, kind, at), hub.ids.uuid(), at));
      await publishInside(tx, hub, change, { actor: BOARD_ACCOUNT, at });
      return { taskId: change.task.id };
    }),
  );
}
