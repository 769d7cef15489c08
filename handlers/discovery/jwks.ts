import type { components } from '../../generated/types.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { publicKeyOf, publicKeys, type PublicKey } from './present/keys.ts';

type Jwk = components['schemas']['JsonWebKeySet']['keys'][number];

export const jwks: Handler<'discovery.jwks'> = async (_, hub) => ({
  status: 200,
  body: { keys: (await publicKeys(hub)).map(present) },
});

/** RFC 8037 2: an ed25519 public key is an octet key pair without its private part. */
function present({ keyId, notBefore, notAfter }: PublicKey): Jwk {
  return {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(publicKeyOf(keyId)).toString('base64url'),
    kid: keyId,
    alg: 'EdDSA',
    use: 'sig',
    ...(notBefore !== undefined && { nbf: unixSeconds(notBefore) }),
    ...(notAfter !== undefined && { exp: unixSeconds(notAfter) }),
  };
}

function unixSeconds(iso: string): number {
  return Math.floor(Date.parse(iso) / 1000);
}
