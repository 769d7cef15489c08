import { createHash } from 'node:crypto';
import type { HubKey } from './ed25519.ts';

/**
 * Secrets that only a holder of the hub's key file can derive. Each comes from the signature of a
 * label, since Ed25519 is deterministic. They are cached, since a signature is most of the cost of
 * their use.
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
