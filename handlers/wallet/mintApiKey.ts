import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { API_KEYS, API_KEYS_MAX, API_KEYS_OF } from '../../db/wallet/apiKeys.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { isShownAgain } from '../../workflows/kernel/onceKey.ts';
import { checkedPolicy } from '../../workflows/wallet/keyRules.ts';
import { apiKeyText } from '../../workflows/wallet/apiKeyText.ts';
import { presentPolicy } from './present/policy.ts';

const HINT_LENGTH = 10;

/** Makes a key of the compatible door; the hub keeps its digest alone (Authentication 12). */
export const mintApiKey: Handler<'wallet.mintApiKey'> = async (call, hub) => {
  const { owner: account } = call.path;
  const { label, policy: named } = call.body ?? {};
  const policy = named && checkedPolicy(hub, named, (member) => `body.policy.${member}`);
  const id = hub.ids.uuid();
  const made = apiKeyText(hub, id);
  const hint = made.slice(0, HINT_LENGTH);
  const createdAt = hub.clock.now();
  const decide = (db: Decider) => {
    const { count = 0 } = db.find(API_KEYS_OF, account) ?? {};
    if (count >= API_KEYS_MAX) refuseMore(call);
    const row = { id, account, hint, ...defined({ label, policy }), mintedBy: call.caller.keyId };
    db.insert(API_KEYS, id, { ...row, digest: sha256Hex(made), createdAt });
    db.put(API_KEYS_OF, account, { account, count: count + 1 });
    const shown = { ...defined({ label }), ...(policy && { policy: presentPolicy(policy) }) };
    const body = { id, owner: account, hint, ...shown, door: '/v1' as const };
    return { ...body, createdAt };
  };
  const kept = await hub.transactOnce(call, { needs: [need(API_KEYS_OF, account)], decide });
  const key = apiKeyText(hub, kept.id);
  // Another key of the hub may sign by now, and then the words of this one are not to be had.
  const isSame = key.startsWith(kept.hint) && isShownAgain(kept.createdAt, hub.clock.now());
  return { status: 200, body: { ...kept, ...(isSame && { key }) } };
};

function refuseMore({ path: { owner } }: Call<'wallet.mintApiKey'>): never {
  refuse('ceiling-reached', {
    error: `The account has ${API_KEYS_MAX} API keys, which is as many as it may.`,
    hint: `Revoke one, and send the call again: \`GET /api/v1/wallet/${owner}/api-keys\` lists them, and a POST to its id with /revoke behind it ends one.`,
  });
}
