import { createHmac } from 'node:crypto';
import { signedText, type Message } from '../../domain/webhooks/message.ts';
import type { SigningKeys, Webhook } from '../../domain/webhooks/webhook.ts';
import type { Hub, HubKey } from '../kernel/hub.ts';
import { hubKey } from '../kernel/keys/ed25519.ts';
import { openKeySecrets } from '../kernel/keys/keySecret.ts';

/**
 * The keys that sign a webhook's messages, derived and never stored: HMAC-SHA256 of webhook and
 * version under a secret that takes the hub's key file (choices webhooks.keys).
 */
const secretOf = openKeySecrets('hub/webhooks/signing/v1');

/** The versions of the keys of a webhook: 1 at first, one more at each rotation. */
export function newKeys(hub: Hub, former?: SigningKeys): SigningKeys {
  return { keyId: hub.keys.current().keyId, version: (former?.version ?? 0) + 1 };
}

function derived(hub: Hub, id: string, { keyId, version }: SigningKeys, use: string): Buffer {
  const key = hub.keys.find(keyId);
  if (key === undefined) throw new Error(`the key ${keyId}, which signs for webhooks, is not here`);
  return createHmac('sha256', secretOf(key)).update(`${id} ${version} ${use}`).digest();
}

function signingKey(hub: Hub, id: string, keys: SigningKeys): HubKey {
  return hubKey(derived(hub, id, keys, 'ed25519'));
}

export function publicKeyText(hub: Hub, id: string, keys: SigningKeys): string {
  return `whpk_${Buffer.from(signingKey(hub, id, keys).publicKey).toString('base64')}`;
}

export function secretText(hub: Hub, id: string, keys: SigningKeys): string {
  return `whsec_${derived(hub, id, keys, 'hmac').toString('base64')}`;
}

/** The `webhook-signature` of a message: of both schemes, and while they count of the former keys. */
export function signatures(
  hub: Hub,
  { id, keys, former }: Webhook,
  message: Message,
  seconds: number,
): string {
  const text = signedText(message, seconds);
  const counts = former !== undefined && former.until > hub.clock.now();
  return [keys, ...(counts ? [former] : [])]
    .flatMap((each) => {
      const ed25519 = signingKey(hub, id, each).sign(Buffer.from(text));
      const hmac = createHmac('sha256', derived(hub, id, each, 'hmac')).update(text);
      return [`v1,${hmac.digest('base64')}`, `v1a,${Buffer.from(ed25519).toString('base64')}`];
    })
    .join(' ');
}
