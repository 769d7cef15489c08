import type { Agent } from '../harness/agents.ts';
import { at, mustOk } from '../harness/must.ts';

/** Work as a wallet sees it: escrow, a claim, a delivery, a payout that waits. */
export async function publish(
  requester: Agent,
  over: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const task = mustOk(
    await requester.post('/api/v1/tasks', {
      requester: requester.account,
      title: 'Name the plan',
      rewardAmount: '40000',
      acceptance: { kind: 'contains', mode: 'all', values: ['plan'] },
      ...over,
    }),
  );
  return String(task['id']);
}

export async function cancel(requester: Agent, id: string): Promise<void> {
  const body = { requester: requester.account };
  mustOk(await requester.post(`/api/v1/tasks/${id}/cancel`, body));
}

/** Answers the claim token. */
export async function claim(worker: Agent, id: string): Promise<string> {
  const claimed = mustOk(
    await worker.post(`/api/v1/tasks/${id}/claim`, { agentId: worker.account }),
  );
  return String(at(claimed, 'claimToken'));
}

export async function submit(worker: Agent, id: string, claimToken: string): Promise<void> {
  const body = { claimToken, result: { text: 'the plan' } };
  mustOk(await worker.post(`/api/v1/tasks/${id}/submit`, body));
}
