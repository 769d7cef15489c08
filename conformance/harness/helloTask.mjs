import { newAgent } from './agents.ts';
import { mustOk } from './must.ts';

/** Publishes a task without a dispute window on a hub with a faucet, which a result with "hello" earns. */
export async function publishHello(url, rewardAmount) {
  const requester = await newAgent({ url, clock: { now: () => Date.now() } });
  const { account } = requester;
  const credit = { amount: rewardAmount, idempotencyKey: 'reward' };
  mustOk(await requester.post(`/api/v1/wallet/${account}/credit`, credit));
  mustOk(
    await requester.post('/api/v1/tasks', {
      requester: account,
      title: 'Say hello',
      rewardAmount,
      acceptance: { kind: 'contains', values: ['hello'] },
      disputeWindowSeconds: 0,
    }),
  );
}
