import type { Handler } from '../../server/hub/handler.ts';
import { checkedPolicy, setRule } from '../../workflows/wallet/keyRules.ts';
import { presentKeyState } from './present/policy.ts';

export const setPolicy: Handler<'wallet.setPolicy'> = async (call, hub) => {
  const { owner: account, keyId } = call.path;
  const policy = checkedPolicy(hub, call.body, (member) => `body.${member}`);
  const at = hub.clock.now();
  const change = { account, keyId, by: call.caller.keyId, operation: call.operation, at };
  const body = await hub.once(call, async (tx) =>
    presentKeyState(await setRule(tx, change, policy), at),
  );
  return { status: 200, body };
};
