import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { CHAIN_TRANSACTIONS_TOPIC } from '../topics.ts';
import { settleDeposits } from './credit.ts';
import { endWithdrawals } from './endWithdrawal.ts';
import { followConfirmed, followUnderway } from './follow.ts';
import { reconcile } from './reconcile.ts';
import { signQueued } from './sign.ts';
import { tendLeases } from './leases.ts';
import { withWallets, withWatch } from './wallet.ts';
import { followChain } from './watch.ts';

/** A job about a chain returns at once in a hub without one. */
export const jobs: readonly Job[] = [
  {
    name: 'hotWallet',
    everySeconds: 4,
    topic: CHAIN_TRANSACTIONS_TOPIC,
    run: (hub) => whileReachable(hub, () => runHotWallet(hub)),
  },
  { name: 'withdrawals', everySeconds: 2, topic: CHAIN_TRANSACTIONS_TOPIC, run: endWithdrawals },
  { name: 'deposits', everySeconds: 3, run: (hub) => whileReachable(hub, () => watch(hub)) },
  { name: 'chainLeases', everySeconds: 2, run: tendLeases },
  { name: 'backing', everySeconds: 1_800, run: (hub) => whileReachable(hub, () => reconcile(hub)) },
];

async function runHotWallet(hub: Hub): Promise<void> {
  await withWallets(hub, async (at) => {
    await signQueued(hub, at);
    await followUnderway(hub, at);
    await followConfirmed(hub, at);
  });
}

async function watch(hub: Hub): Promise<void | number> {
  let more = false;
  await withWatch(hub, async (at) => {
    const followed = await followChain(hub, at);
    if (followed === undefined) return;
    await settleDeposits(hub, at, followed.cursor);
    more ||= followed.more;
  });
  return more ? 0 : undefined;
}

/** A chain out of reach is no fault of the job: the timer asks again, and nothing was decided. */
async function whileReachable<T>(hub: Hub, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    hub.log.warn({ err: error }, 'the chain is out of reach');
    return undefined;
  }
}
