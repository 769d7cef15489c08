import { ruleOf } from '../../db/wallet/policies.ts';
import type { Writer } from '../../db/store.ts';
import { parseKeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import {
  OF_ACCOUNT,
  settingBudget,
  settingCeiling,
  type BudgetChange,
} from '../../workflows/wallet/apiKeyBudget.ts';
import {
  changeRule,
  checkedPolicy,
  mustBeBound,
  setRule,
  type RuleChange,
} from '../../workflows/wallet/keyRules.ts';
import { policyOfMandate } from '../../workflows/wallet/mandates.ts';
import { presentBudget, presentKeyState } from './present/policy.ts';

export const setPolicy: Handler<'wallet.setPolicy'> = async (call, hub) => {
  const { owner: account, keyId: named } = call.path;
  const keyId = parseKeyId(named);
  const [at, by] = [hub.clock.now(), call.caller.keyId];
  const { lifted, mandate, issuerKey, ...limits } = call.body;
  const isLifted = lifted === true;
  mustBeOne(call.body);
  const policy =
    mandate === undefined
      ? checkedPolicy(hub, limits, (member) => `body.${member}`)
      : await policyOfMandate(hub, { mandate, issuerKey, account, named, callerKey: by });
  if (keyId === undefined) {
    const change = { account, by, at, ...defined({ policy: isLifted ? undefined : policy }) };
    return { status: 200, body: await setBudget(hub, call, change) };
  }
  const change = { account, keyId, by, operation: call.operation, at };
  const body = await hub.once(call, async (tx) =>
    isLifted ? lift(tx, change) : presentKeyState(await setRule(tx, change, policy), at),
  );
  return { status: 200, body };
};

/** Sets the budget of an API key, or the ceiling of the account for all its model calls. */
function setBudget(hub: Hub, call: Call<'wallet.setPolicy'>, change: BudgetChange) {
  const { keyId } = call.path;
  if (keyId !== OF_ACCOUNT && !keyId.includes('-')) refuseNoKey();
  const { needs, decide } =
    keyId === OF_ACCOUNT ? settingCeiling(change) : settingBudget(keyId, change);
  const shown = (db: Parameters<typeof decide>[0]) => presentBudget(keyId, change, decide(db));
  return hub.transactOnce(call, { needs, decide: shown });
}

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

function refuseNoKey(): never {
  refuse('bad-account', {
    error: 'path.keyId is neither 32 bytes in base58, nor the id of an API key, nor `models`.',
    field: 'path.keyId',
  });
}

/** A body has limits, or a mandate, or lifts the policy. */
function mustBeOne({ lifted, mandate, issuerKey, ...limits }: Call<'wallet.setPolicy'>['body']) {
  const hasLimits = Object.keys(limits).length > 0;
  const hasMandate = mandate !== undefined || issuerKey !== undefined;
  if (lifted === true && (hasLimits || hasMandate)) {
    refuse('bad-request', {
      error: 'body.lifted removes the policy of a key, so no limit stands beside it.',
      hint: 'Send the call again with `lifted` alone, or with limits alone.',
      field: 'body.lifted',
    });
  }
  if (hasMandate && (hasLimits || mandate === undefined)) {
    refuse('bad-request', {
      error: 'body.mandate has all limits of the key, and body.issuerKey is the key of its issuer.',
      hint: 'Send the call again with `mandate` and `issuerKey`, or with limits alone.',
      field: 'body.mandate',
    });
  }
}
