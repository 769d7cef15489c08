import { randomBytes } from 'node:crypto';
import { hubKeyRows } from '../../db/time/hubKeys.ts';
import { SIGNATURE_ALGORITHM, SIGNATURE_LABEL } from '../../domain/httpsig/base.ts';
import { jwkOfKey, jwkThumbprint } from '../../domain/jwk.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { onlyRead } from '../pages/web.ts';
import type { Door } from './transport.ts';

/**
 * The directory of keys that `Signature-Agent` of the hub's own calls points to (Web Bot Auth,
 * draft-meunier-http-message-signatures-directory; choices outbound.signature).
 */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
const TYPE = 'application/http-message-signatures-directory+json';
const TAG = 'http-message-signatures-directory';
const CACHE_SECONDS = 60;
/** A cached copy is still within the life of its signature. */
const SIGNED_SECONDS = 600;
const NONCE_BYTES = 16;

export function createKeyDirectory(hub: Hub): Door {
  return async (exchange) => {
    const options = onlyRead(exchange, KEY_DIRECTORY_PATH);
    if (options !== undefined) return options;
    const rows = await hub.store.read(hubKeyRows);
    const keys = rows.map(({ keyId, notBefore, notAfter }) => {
      const jwk = jwkOfKey(keyId);
      const times = { nbf: seconds(notBefore), exp: seconds(notAfter) };
      const set = Object.entries(times).filter(([, value]) => value !== undefined);
      return { ...jwk, kid: jwkThumbprint(jwk), use: 'sig', ...Object.fromEntries(set) };
    });
    const headers = { 'content-type': TYPE, 'cache-control': `public, max-age=${CACHE_SECONDS}` };
    return {
      status: 200,
      headers: { ...headers, ...signatureOf(hub) },
      body: JSON.stringify({ keys }),
    };
  };
}

/**
 * Proves that the hub has the key, for its own host alone: a request may name any other host, and a
 * copy of the directory there must not have a signature that fits. @throws HubError `busy`.
 */
function signatureOf({ keys, clock, settings }: Hub): Readonly<Record<string, string>> {
  const key = keys.current();
  const created = Math.floor(clock.now() / 1_000);
  const keyId = jwkThumbprint(jwkOfKey(key.keyId));
  const parameters = [
    '("@authority";req)',
    `created=${created}`,
    `expires=${created + SIGNED_SECONDS}`,
    `keyid="${keyId}"`,
    `alg="${SIGNATURE_ALGORITHM}"`,
    `nonce="${randomBytes(NONCE_BYTES).toString('base64')}"`,
    `tag="${TAG}"`,
  ].join(';');
  const authority = new URL(settings.baseUrl).host;
  const base = `"@authority";req: ${authority}\n"@signature-params": ${parameters}`;
  const signature = Buffer.from(key.sign(Buffer.from(base))).toString('base64');
  return {
    'signature-input': `${SIGNATURE_LABEL}=${parameters}`,
    signature: `${SIGNATURE_LABEL}=:${signature}:`,
  };
}

function seconds(at: number | null): number | undefined {
  return at === null ? undefined : Math.floor(at / 1_000);
}
