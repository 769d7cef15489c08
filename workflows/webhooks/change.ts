import { saveWebhook, webhookOf, type WaitingWebhook } from '../../db/webhooks/webhooks.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Hub } from '../kernel/hub.ts';
import { WEBHOOKS_TOPIC } from '../topics.ts';
import { mustLock, noWebhook } from './own.ts';

/** Changes a webhook. An attempt under way is not recorded, so its event may be sent again. */
export async function changeWebhook(
  tx: Writer,
  { account }: { readonly account: Account },
  id: string,
  change: (webhook: Webhook) => Partial<Webhook>,
): Promise<WaitingWebhook> {
  const webhook = await mustLock(tx, account, id);
  const changed = { ...webhook, ...change(webhook) };
  await saveWebhook(tx, { ...changed, revision: webhook.revision + 1 });
  tx.publish(WEBHOOKS_TOPIC);
  return (await webhookOf(tx, account, id)) ?? noWebhook(id);
}

/** A webhook whose next attempt is due now, as if none had failed. */
export function restarted(hub: Hub): Partial<Webhook> {
  const nextAt = hub.clock.now();
  return { state: 'active', why: undefined, failures: 0, failingSince: undefined, nextAt };
}
