import { createHmac } from 'node:crypto';
import type { Hub } from '../kernel/hub.ts';
import { openKeySecrets } from '../kernel/keys/keySecret.ts';

/**
 * API keys are derived and never stored: HMAC-SHA256 of their id under a secret that takes the hub's
 * key file. A repeat of the call that made one is shown it again, and the database has its digest.
 */
const secretOf = openKeySecrets('hub/wallet/api-key/v1');

export function apiKeyText(hub: Hub, id: string): string {
  return `hub_${createHmac('sha256', secretOf(hub.keys.current())).update(id).digest('base64url')}`;
}
