import { cancelApprovals } from '../../db/wallet/approvals.ts';
import { ruleOf } from '../../db/wallet/policies.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { changeRule, mustBeBound } from '../../workflows/wallet/keyRules.ts';
import { remainsOfKey } from '../../workflows/wallet/remainsOfKey.ts';
import { endWebhooks } from '../../workflows/webhooks/endOfKey.ts';
import { presentKeyState, presentRemains } from './present/policy.ts';

/** Ends a key, which cannot be undone: every transaction in its name reads the row that says so. */
export const revokeKey: Handler<'wallet.revokeKey'> = async (call, hub) => {
  const { owner: account, keyId } = call.path;
  const at = hub.clock.now();
  const by = call.caller.keyId;
  const change = { account, keyId, by, operation: call.operation, at };
  const body = await hub.once(call, async (tx) => {
    const found = await ruleOf(tx, keyId, account);
    if (found?.revokedAt !== undefined) return presentKeyState(found, at);
    if (found === undefined) await mustBeBound(tx, change);
    await cancelApprovals(tx, { account, keyId, at, by });
    await endWebhooks(tx, { account, keyId, at });
    const ended = { revokedAt: at, revokedBy: by };
    const revoked = (policy: typeof found) => ({
      ...defined({ policy: policy?.policy }),
      ...ended,
    });
    return presentKeyState(await changeRule(tx, change, revoked, 'key.revoked'), at);
  });
  const remains = await hub.store.read((db) => remainsOfKey(db, account, keyId));
  return { status: 200, body: { ...body, ...presentRemains(remains) } };
};
