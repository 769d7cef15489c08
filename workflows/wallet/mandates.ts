import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { keyBytes, type Account, type KeyId } from '../../domain/account.ts';
import { judgeNewKey } from '../../domain/httpsig/keys.ts';
import { ed25519Jwk } from '../../domain/jwk.ts';
import { mandateIn } from '../../domain/wallet/mandate.ts';
import type { KeyPolicy } from '../../domain/wallet/policy.ts';
import { readSdJwt, type SdJwt } from '../../domain/wallet/sdJwt.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { isSignedBy, type Jwk } from '../kernel/keys/jwk.ts';
import { checkedPolicy } from './keyRules.ts';

/** A mandate that was handed in, for which key, and by whom. */
export interface GivenMandate {
  readonly mandate: string;
  readonly issuerKey?: Jwk | undefined;
  readonly account: Account;
  /** As the path of the call names it. */
  readonly named: string;
  readonly callerKey: KeyId;
}

/** The policy that a mandate asks for; it is read only once its signature is checked. */
export async function policyOfMandate(hub: Hub, given: GivenMandate): Promise<KeyPolicy> {
  const { account, named } = given;
  const token = readSdJwt(given.mandate);
  if (typeof token === 'string') return unusable(account, token);
  await mustBeSigned(hub, given, token);
  const mandate = mandateIn(token.payload, hub.clock.now());
  if (typeof mandate === 'string') return unusable(account, mandate);
  const { keyId } = mandate;
  const judged = judgeNewKey(keyId);
  if (!judged.ok) return unusable(account, `The key in its \`cnf\` cannot be used: ${judged.why}.`);
  if (keyId !== named) {
    return refuse('bad-request', {
      error: `The mandate is for the key ${keyId}, and path.keyId names ${named}.`,
      hint: `Send it to POST /api/v1/wallet/${account}/keys/${keyId}/policy.`,
      field: 'path.keyId',
    });
  }
  return checkedPolicy(hub, mandate.policy, () => 'body.mandate');
}

/** No key is fetched: it is given, or it is a key of this hub or the one that signed the call. */
async function mustBeSigned(
  hub: Hub,
  { issuerKey, account, callerKey }: GivenMandate,
  token: SdJwt,
): Promise<void> {
  const jwk = issuerKey ?? (await knownKey(callerKey, hub, token.header['kid']));
  if (jwk === undefined) {
    return refuse('bad-request', {
      error: 'The mandate is signed by a key that is neither of this hub nor the one of this call.',
      hint: 'Give the public key of its issuer as `issuerKey`, after you made sure whose it is.',
      field: 'body.issuerKey',
    });
  }
  if (isSignedBy(jwk, token)) return;
  unusable(account, 'Its signature is not one of the key of its issuer over these bytes.');
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
