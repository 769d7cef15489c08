import type { Hub } from '../../server/hub/hub.ts';
import type { Job } from '../../server/hub/job.ts';
import { CHAIN_TRANSACTIONS_TOPIC } from '../topics.ts';
import { followSigned } from './follow.ts';
import { signQueued } from './sign.ts';
import { withWallets } from './wallet.ts';

/** Every job returns at once in a hub without a chain. */
export const jobs: readonly Job[] = [
  {
    name: 'hotWallet',
    everySeconds: 4,
    topic: CHAIN_TRANSACTIONS_TOPIC,
    run: runHotWallet,
  },
];

export async function runHotWallet(hub: Hub): Promise<void> {
  await withWallets(hub, async (at) => {
    await signQueued(hub, at);
    await followSigned(hub, at);
  });
}
