import { ruleOf } from '../../db/wallet/policies.ts';
import type { Writer } from '../../db/store.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import {
  changeRule,
  checkedPolicy,
  mustBeBound,
  setRule,
  type RuleChange,
} from '../../workflows/wallet/keyRules.ts';
import { presentKeyState } from './present/policy.ts';

export const setPolicy: Handler<'wallet.setPolicy'> = async (call, hub) => {
  const { owner: account, keyId } = call.path;
  const { lifted, ...limits } = call.body;
  const isLifted = lifted === true;
  if (isLifted && Object.keys(limits).length > 0) refuseBoth();
  const policy = checkedPolicy(hub, limits, (member) => `body.${member}`);
  const at = hub.clock.now();
  const change = { account, keyId, by: call.caller.keyId, operation: call.operation, at };
  const body = await hub.once(call, async (tx) =>
    isLifted ? lift(tx, change) : presentKeyState(await setRule(tx, change, policy), at),
  );
  return { status: 200, body };
};

/** Lifts the limits of a key; its counts stay, for the next policy. */
async function lift(tx: Writer, change: RuleChange): Promise<ReturnType<typeof presentKeyState>> {
  const { account, keyId, at } = change;
  const found = await ruleOf(tx, keyId, account);
  if (found === undefined) {
    await mustBeBound(tx, change);
    return { owner: account, keyId };
  }
  const isLimited = found.policy !== undefined;
  const rule = isLimited ? await changeRule(tx, change, () => ({}), 'policy.removed') : found;
  return presentKeyState(rule, at);
}

function refuseBoth(): never {
  refuse('bad-request', {
    error: 'body.lifted removes the policy of a key, so no limit stands beside it.',
    hint: 'Send the call again with `lifted` alone, or with limits alone.',
    field: 'body.lifted',
  });
}
