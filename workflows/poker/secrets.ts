import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyId } from '../../domain/account.ts';
import type { Secrets } from '../../domain/poker/session.ts';
import { commitTo, SEED_BYTES } from '../../domain/poker/shuffle.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { openKeySecrets } from '../../server/hub/keys/keySecret.ts';

/**
 * Seeds of shuffles are encrypted at rest (threats.deck): AES-256-GCM under a secret of the hub's
 * key file. A text is `keyId.nonce.tag.ciphertext` in base64url, so older seeds open after a
 * rotation.
 */
const secretOf = openKeySecrets('hub/poker/seed-at-rest/v1');
const TOKEN_BYTES = 16;
const NONCE_BYTES = 12;

export type Dealer = Pick<Hub, 'keys' | 'random'>;

export function tableSecrets(hub: Dealer): Secrets {
  return {
    open: (text) => opened(hub, text),
    fresh() {
      const seed = hub.random(SEED_BYTES);
      return { seed: closed(hub, seed), commit: commitTo(seed) };
    },
    token: () => Buffer.from(hub.random(TOKEN_BYTES)).toString('base64url'),
  };
}

function closed(hub: Dealer, seed: Uint8Array): string {
  const key = hub.keys.current();
  const nonce = hub.random(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), nonce);
  const text = Buffer.concat([cipher.update(seed), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), text].map((each) =>
    Buffer.from(each).toString('base64url'),
  );
  return [key.keyId, ...parts].join('.');
}

function opened(hub: Dealer, text: string): Uint8Array {
  const [keyId = '', nonce = '', tag = '', ciphertext = ''] = text.split('.');
  const key = hub.keys.find(keyId as KeyId);
  if (key === undefined) throw new Error(`the key ${keyId}, which closed a seed, is not here`);
  const bytes = (part: string): Buffer => Buffer.from(part, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', secretOf(key), bytes(nonce));
  decipher.setAuthTag(bytes(tag));
  return Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]);
}
