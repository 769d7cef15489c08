import { noteEvent } from '../../db/wallet/accountEvents.ts';
import { keyEnd } from '../../db/wallet/policies.ts';
import { endWebhooksOf } from '../../db/webhooks/webhooks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Hub } from '../kernel/hub.ts';

const WHY = 'The key that made it, or changed it last, was revoked or expired.';

/** Disables what a key made that sends events on: its account is notified of each. */
export async function endWebhooks(
  tx: Writer,
  {
    account,
    keyId,
    at,
  }: { readonly account: Account; readonly keyId: KeyId; readonly at: Instant },
): Promise<void> {
  for (const id of await endWebhooksOf(tx, { account, madeBy: keyId, why: WHY })) {
    noteEvent(tx, [account], { at, kind: 'webhook.disabled', subjectId: id, state: 'disabled' });
  }
}

/** Disables a webhook whose key has expired since. Returns whether it did. */
export async function endedWithKey(hub: Hub, { account, madeBy }: Webhook): Promise<boolean> {
  if (madeBy === undefined) return false;
  const at = hub.clock.now();
  const end = await hub.store.read((db) => keyEnd(db, madeBy, account, at));
  if (end === undefined) return false;
  await hub.store.write((tx) => endWebhooks(tx, { account, keyId: madeBy, at }));
  return true;
}
