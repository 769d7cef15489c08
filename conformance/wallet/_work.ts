import type { Agent } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { act, publish, RULE, type Body } from '../tasks/_work.ts';

/** Work as a wallet sees it: 40000 in escrow, paid when a result passes the rule. */
export async function publishPaid(requester: Agent, over: Body = {}): Promise<string> {
  const { id } = await publish(requester, { rewardAmount: '40000', acceptance: RULE, ...over });
  return id;
}

export async function cancel(requester: Agent, id: string): Promise<void> {
  mustOk(await act(requester, id, 'cancel', { requester: requester.account }));
}
