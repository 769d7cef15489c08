import { createHash } from 'node:crypto';
import type { HubKey } from './ed25519.ts';

/**
 * Secrets that only a holder of the hub's own key file can work out, one for each purpose: Ed25519
 * signs the same bytes the same way, so the signature of a label is a secret of its key. It is kept
 * beside the key, since a signature is most of the cost of whatever uses it.
 */
export function openKeySecrets(label: string): (key: HubKey) => Buffer {
  const bytes = Buffer.from(label);
  const known = new WeakMap<HubKey, Buffer>();
  return (key) => {
    const secret = known.get(key) ?? createHash('sha256').update(key.sign(bytes)).digest();
    known.set(key, secret);
    return secret;
  };
}
