import type { Handler } from '../../server/hub/handler.ts';
import { decideCall } from '../../workflows/wallet/approvals.ts';
import { presentApproval } from './present/policy.ts';

/** Refuses one call of a limited key until it lapses. */
export const reject: Handler<'wallet.reject'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const decision = {
    account,
    id,
    state: 'rejected',
    by: call.caller.keyId,
    at: hub.clock.now(),
  } as const;
  const body = await hub.once(call, async (tx) => presentApproval(await decideCall(tx, decision)));
  return { status: 200, body };
};
