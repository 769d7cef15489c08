import type { Handler } from '../../server/hub/handler.ts';
import { changeRule, mustBeBound } from '../../workflows/wallet/keyRules.ts';
import { ruleOf } from '../../db/wallet/policies.ts';
import { presentKeyState } from './present/policy.ts';

/** Lifts the limits of a key; its counts stay, for the next policy. */
export const removePolicy: Handler<'wallet.removePolicy'> = async (call, hub) => {
  const { owner: account, keyId } = call.path;
  const at = hub.clock.now();
  const change = { account, keyId, by: call.caller.keyId, operation: call.operation, at };
  const body = await hub.once(call, async (tx) => {
    const found = await ruleOf(tx, keyId, account);
    if (found === undefined) await mustBeBound(tx, change);
    if (found === undefined) return { owner: account, keyId };
    const isLimited = found.policy !== undefined;
    const rule = isLimited ? await changeRule(tx, change, () => ({}), 'policy.removed') : found;
    return presentKeyState(rule, at);
  });
  return { status: 200, body };
};
