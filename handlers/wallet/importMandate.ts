import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { keyBytes, type Account } from '../../domain/account.ts';
import { judgeNewKey } from '../../domain/httpsig/keys.ts';
import { ed25519Jwk } from '../../domain/jwk.ts';
import { mandateIn } from '../../domain/wallet/mandate.ts';
import { readSdJwt, type SdJwt } from '../../domain/wallet/sdJwt.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { isSignedBy, type Jwk } from '../../workflows/kernel/keys/jwk.ts';
import { checkedPolicy, setRule } from '../../workflows/wallet/keyRules.ts';
import { presentKeyState } from './present/policy.ts';

type ImportCall = Call<'wallet.importMandate'>;

/** Sets the policy of the key that a mandate names; it is read only once its signature is checked. */
export const importMandate: Handler<'wallet.importMandate'> = async (call, hub) => {
  const { owner: account } = call.path;
  const token = readSdJwt(call.body.mandate);
  if (typeof token === 'string') return unusable(account, token);
  await mustBeSigned(call, hub, token);
  const at = hub.clock.now();
  const mandate = mandateIn(token.payload, at);
  if (typeof mandate === 'string') return unusable(account, mandate);
  const { keyId } = mandate;
  const judged = judgeNewKey(keyId);
  if (!judged.ok) return unusable(account, `The key in its \`cnf\` cannot be used: ${judged.why}.`);
  const policy = checkedPolicy(hub, mandate.policy, () => 'body.mandate');
  const change = { account, keyId, by: call.caller.keyId, operation: call.operation, at };
  const body = await hub.once(call, async (tx) =>
    presentKeyState(await setRule(tx, change, policy), at),
  );
  return { status: 200, body };
};

/** No key is fetched: it is given, or it is a key of this hub or the one that signed the call. */
async function mustBeSigned(
  { body, caller, path }: ImportCall,
  hub: Hub,
  token: SdJwt,
): Promise<void> {
  const { kid } = token.header;
  const given: Jwk | undefined = body.issuerKey;
  const jwk = given ?? (await knownKey(caller.keyId, hub, kid));
  if (jwk === undefined) {
    return refuse('bad-request', {
      error: 'The mandate is signed by a key that is neither of this hub nor the one of this call.',
      hint: 'Give the public key of its issuer as `issuerKey`, after you made sure whose it is.',
      field: 'body.issuerKey',
    });
  }
  if (isSignedBy(jwk, token)) return;
  unusable(path.owner, 'Its signature is not one of the key of its issuer over these bytes.');
}

async function knownKey(callerKey: string, hub: Hub, kid: unknown): Promise<Jwk | undefined> {
  const rows = await hub.store.read(hubKeyRows);
  const own = [callerKey, ...rows.map(({ keyId }) => keyId)].find((keyId) => keyId === kid);
  const bytes = own === undefined ? undefined : keyBytes(own);
  return bytes && ed25519Jwk(bytes);
}

function unusable(owner: Account, why: string): never {
  return refuse('bad-request', {
    error: `The mandate cannot be used. ${why}`,
    hint: `Ask its issuer for another one, or set the limits of the key yourself: GET /api/v1/wallet/${owner}/keys lists your keys.`,
    field: 'body.mandate',
  });
}
