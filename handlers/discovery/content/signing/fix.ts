import { SIGNATURE_ALGORITHM } from '../../../../domain/httpsig/base.ts';
import type { Refused, Unsigned } from '../../../../domain/httpsig/inspect.ts';
import { HTTPSIG_LIMITS } from '../../../../domain/httpsig/limits.ts';
import { iso } from '../../../../domain/instant.ts';
import type { Hub } from '../../../../workflows/kernel/hub.ts';

/** Returns the fix for the reason that a signature fails with, as exactly as it is known. */
export function fixFor(seen: Refused | Unsigned, hub: Hub): string {
  if (seen.kind === 'unsigned') {
    return (
      'Send the headers Signature-Input and Signature, and Content-Digest when there is a body. ' +
      'signing.example in GET /api/v1/quickstart is a request that verifies.'
    );
  }
  switch (seen.reason) {
    case 'unsigned':
      return (
        `Mend what the last step names: ${seen.detail}. The forms are ` +
        'Signature-Input: sig1=("@method" "@authority" "@path");created=<unix>;keyid="<key id>";' +
        `alg="${SIGNATURE_ALGORITHM}";nonce="<nonce>" and Signature: sig1=:<base64>:`
      );
    case 'incomplete-coverage':
      return coverage(seen.component ?? 'the component');
    case 'digest-mismatch':
      return (
        'Digest the exact bytes that you send: Content-Digest is sha-256=:<base64 of SHA-256>:. ' +
        'bodySha256 here is what arrived, in hex; when yours differs, the body changed on its way.'
      );
    case 'stale':
      return (
        `Set created to the current second; the hub's clock is ${iso(hub.clock.now())}, which is ` +
        `${Math.floor(hub.clock.now() / 1000)}. It may lie ${HTTPSIG_LIMITS.maxAgeSeconds} seconds ` +
        'off either way. A number a thousand times larger is in milliseconds.'
      );
    case 'unknown-key':
      return unknownKey(seen, hub);
  }
}

function coverage(component: string): string {
  const line = component === '@query' ? '? and the query as it is sent' : 'its value';
  return (
    `Put "${component}" into the covered list of Signature-Input and a line "${component}": ` +
    `with ${line} into the base, at the same place of both, then sign again.`
  );
}

function unknownKey(seen: Refused, hub: Hub): string {
  const failed = seen.steps.at(-1)?.step;
  if (failed === 'key') {
    return (
      `keyid is the base58 of your 32-byte public key, without "key:", and alg is ` +
      `"${SIGNATURE_ALGORITHM}". Mend this: ${seen.detail}.`
    );
  }
  if (seen.component !== undefined) {
    return `Call the hub at ${hub.settings.baseUrl} and sign that name in "${seen.component}"..`;
  }
  return (
    'Compare signatureBase with the text that you signed, byte for byte. When they are equal, the ' +
    'private key is not the one of this keyid, or the text was hashed before it was signed.'
  );
}
