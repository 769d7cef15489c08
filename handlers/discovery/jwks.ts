import { unixSeconds } from '../../domain/instant.ts';
import { ed25519Jwk } from '../../domain/jwk.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { publicKeyOf, publicKeys, type PublicKey } from './present/keys.ts';

type Jwk = Schemas['JsonWebKeySet']['keys'][number];

export const jwks: Handler<'discovery.jwks'> = async (_, hub) => ({
  status: 200,
  body: { keys: (await publicKeys(hub)).map(present) },
});

function present({ keyId, notBefore, notAfter }: PublicKey): Jwk {
  return {
    ...ed25519Jwk(publicKeyOf(keyId)),
    kid: keyId,
    alg: 'EdDSA',
    use: 'sig',
    ...(notBefore !== undefined && { nbf: unixSeconds(notBefore) }),
    ...(notAfter !== undefined && { exp: unixSeconds(notAfter) }),
  };
}
