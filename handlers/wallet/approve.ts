import type { Handler } from '../../server/hub/handler.ts';
import { decideCall } from '../../workflows/wallet/approvals.ts';
import { presentApproval } from './present/policy.ts';

export const approve: Handler<'wallet.approve'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const decision = {
    account,
    id,
    state: 'approved',
    by: call.caller.keyId,
    at: hub.clock.now(),
  } as const;
  const body = await hub.once(call, async (tx) => presentApproval(await decideCall(tx, decision)));
  return { status: 200, body };
};
