import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustNotBeModerated } from '../../workflows/kernel/moderation.ts';
import { decideCall } from '../../workflows/wallet/approvals.ts';
import { presentApproval } from './present/policy.ts';

/** Permits one call of a limited key once, or refuses it until it lapses. */
export const decide: Handler<'wallet.decide'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const { decision: state } = call.body;
  // A banned account may refuse what its keys ask for, and begins nothing.
  if (state === 'approved') mustNotBeModerated(hub, account, [id]);
  const decision = { account, id, state, by: call.caller.keyId, at: hub.clock.now() };
  const body = await hub.once(call, async (tx) => presentApproval(await decideCall(tx, decision)));
  return { status: 200, body };
};
