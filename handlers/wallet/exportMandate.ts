import { endOf, ruleOf } from '../../db/wallet/policies.ts';
import { iso, wholeSecond } from '../../domain/instant.ts';
import { MANDATE_TYPE, mandateContent } from '../../domain/wallet/mandate.ts';
import { MANDATE_LENGTH_MAX, writeSdJwt } from '../../domain/wallet/sdJwt.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';

const SALT_BYTES = 16;

/** Signs what the policy of a key says now (choices wallet.mandates). */
export const exportMandate: Handler<'wallet.exportMandate'> = async (call, hub) => {
  const { owner, keyId } = call.path;
  const now = hub.clock.now();
  const rule = await hub.store.readOne((db) => ruleOf(db, keyId, owner));
  const policy = rule?.policy;
  if (rule === undefined || policy === undefined || endOf(rule, now) !== undefined) {
    return refuse('wrong-state', {
      error: `The key ${keyId} has no spending policy for ${owner} that counts now.`,
      hint: `Set one first: POST /api/v1/wallet/${owner}/keys/${keyId}/policy.`,
      field: 'path.keyId',
    });
  }
  const key = hub.keys.current();
  const issuer = hub.settings.baseUrl;
  const by = { issuer, keyId: key.keyId, sign: key.sign, salt: hub.random(SALT_BYTES) };
  const mandate = writeSdJwt(mandateContent(policy, keyId, now), by);
  if (mandate.length > MANDATE_LENGTH_MAX) {
    return refuse('wrong-state', {
      error: `As a mandate this policy has ${mandate.length} characters; at most ${MANDATE_LENGTH_MAX} are signed.`,
      hint: 'Name fewer tools, models and counterparties in the policy.',
    });
  }
  const { expiresAt } = policy;
  const ends = expiresAt === undefined ? {} : { expiresAt: iso(wholeSecond(expiresAt)) };
  const body = { owner, keyId, type: MANDATE_TYPE, issuer, issuerKey: key.keyId, ...ends, mandate };
  return { status: 200, body };
};
