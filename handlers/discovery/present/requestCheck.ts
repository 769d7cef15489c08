import { keyAccount } from '../../../domain/account.ts';
import { accountOfKey } from '../../../db/wallet/keys.ts';
import { sha256Hex } from '../../../domain/digest.ts';
import type { Inspection, Verified } from '../../../domain/httpsig/inspect.ts';
import type { RawRequest } from '../../../domain/httpsig/message.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { fixFor } from '../content/signing/fix.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';

/** The door's verifier, step by step; it takes no nonce and binds no key, so resending is fine. */
type RequestCheck = Schemas['RequestCheck'];
type CheckStep = RequestCheck['steps'][number];

export async function checkRequest(hub: Hub, request: RawRequest): Promise<RequestCheck> {
  const seen = hub.callers.inspect(request);
  const found = seen.kind === 'verified' ? await accountSteps(hub, seen) : refusedSteps(hub, seen);
  const base = seen.kind === 'unsigned' ? undefined : seen.base;
  return {
    ...found,
    ...(base !== undefined && { signatureBase: base, signatureBaseSha256: sha256Hex(base) }),
    ...(request.body.length > 0 && { bodySha256: sha256Hex(request.body) }),
    hubTime: hub.clock.wall(),
  };
}

type Found = Pick<
  RequestCheck,
  'verified' | 'steps' | 'reason' | 'fix' | 'keyId' | 'account' | 'accountKnown'
>;

function refusedSteps(hub: Hub, seen: Exclude<Inspection, Verified>): Found {
  const reason = seen.kind === 'unsigned' ? 'unsigned' : seen.reason;
  return {
    verified: false,
    steps: seen.steps.map((step) => ({ ...step })),
    reason,
    fix: fixFor(seen, hub),
  };
}

/** Checks the account and the nonce, which a request needs after its signature is verified. */
async function accountSteps(hub: Hub, seen: Verified): Promise<Found> {
  const { keyId, nonce } = seen;
  const bound = await hub.store.readOne((db) => accountOfKey(db, keyId));
  const used = await hub.callers.wasNonceUsed(keyId, nonce);
  const account = bound ?? keyAccount(keyId);
  const steps: CheckStep[] = [
    ...seen.steps,
    {
      step: 'account',
      ok: true,
      detail:
        bound === undefined
          ? `the first signed call of this key will make ${account}`
          : `the key acts for ${account}`,
    },
    {
      step: 'nonce',
      ok: !used,
      detail: used ? 'this key has used this nonce before' : 'the nonce is new and stays unused',
    },
  ];
  if (used) {
    const fix = 'Sign again with a new nonce: every request needs its own, a retry as well.';
    return { verified: false, steps, reason: 'replayed', fix, keyId };
  }
  return { verified: true, steps, keyId, account, accountKnown: bound !== undefined };
}
