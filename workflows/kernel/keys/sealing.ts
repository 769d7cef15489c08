import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { KeyId } from '../../../domain/account.ts';
import { openKeySecrets } from './keySecret.ts';
import type { Keys } from './keys.ts';

/**
 * Bytes at rest in the database that a reader of it cannot open: AES-256-GCM under a secret of the
 * hub's key file. A text is `keyId.nonce.tag.ciphertext` in base64url, so older ones open after a
 * rotation.
 */
export interface Sealing {
  close(by: Sealer, bytes: Uint8Array): string;
  /** Undefined when the key that closed it is not here. */
  open(by: Pick<Sealer, 'keys'>, text: string): Buffer | undefined;
}
export interface Sealer {
  readonly keys: Keys;
  readonly random: (bytes: number) => Uint8Array;
}

const NONCE_BYTES = 12;

/** @param label Names the use, so that no text of one opens as another's. */
export function openSealing(label: string): Sealing {
  const secretOf = openKeySecrets(label);
  return {
    close({ keys, random }, bytes) {
      const key = keys.current();
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', secretOf(key), nonce);
      const text = Buffer.concat([cipher.update(bytes), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), text].map((each) =>
        Buffer.from(each).toString('base64url'),
      );
      return [key.keyId, ...parts].join('.');
    },
    open({ keys }, text) {
      const [keyId = '', nonce = '', tag = '', ciphertext = ''] = text.split('.');
      const key = keys.find(keyId as KeyId);
      if (key === undefined) return undefined;
      const bytes = (part: string): Buffer => Buffer.from(part, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', secretOf(key), bytes(nonce));
      decipher.setAuthTag(bytes(tag));
      return Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]);
    },
  };
}
