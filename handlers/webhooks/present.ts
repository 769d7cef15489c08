import type { Account } from '../../domain/account.ts';
import { cursorText } from '../../domain/eventCursor.ts';
import { plus } from '../../domain/instant.ts';
import { webhookOf, type WaitingWebhook } from '../../db/webhooks/webhooks.ts';
import type { Delivery } from '../../domain/webhooks/webhook.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { SECRET_SHOWN_SECONDS } from '../../workflows/kernel/onceKey.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { publicKeyText, secretText } from '../../workflows/webhooks/keys.ts';
import type { JsonAnswer } from '../../workflows/kernel/call.ts';

export function presentWebhook(hub: Hub, { webhook, waiting }: WaitingWebhook): Schemas['Webhook'] {
  const { id, url, types, state, why, keys, former, cursor, failures, failingSince } = webhook;
  const isFormer = former !== undefined && former.until > hub.clock.now();
  return {
    id,
    url,
    types,
    state,
    why,
    publicKey: publicKeyText(hub, id, keys),
    ...(isFormer && {
      previousPublicKey: publicKeyText(hub, id, former),
      previousUntil: former.until,
    }),
    cursor: cursorText(cursor),
    waiting,
    failures,
    ...(failures > 0 && { nextAttemptAt: webhook.nextAt }),
    failingSince,
    ...(webhook.dropped > 0 && { dropped: webhook.dropped }),
    createdAt: webhook.createdAt,
  };
}

/** A webhook with new keys, as its answer is kept: without the secret. */
export function presentMade(hub: Hub, found: WaitingWebhook): Schemas['Webhook'] {
  const until = plus(hub.clock.now(), SECRET_SHOWN_SECONDS);
  return { ...presentWebhook(hub, found), secretUntil: until };
}

/** The same with the secret of its keys, until then and while it still has them. */
export async function withSecret(
  hub: Hub,
  { account }: { readonly account: Account },
  made: JsonAnswer<'webhooks.create' | 'webhooks.update'>,
): Promise<Schemas['Webhook']> {
  const { id, publicKey, secretUntil = '' } = made;
  const found = await hub.store.readOne((db) => webhookOf(db, account, id));
  const { keys } = found?.webhook ?? {};
  const isIt = keys !== undefined && publicKeyText(hub, id, keys) === publicKey;
  const isShown = isIt && hub.clock.now() <= Date.parse(secretUntil);
  return { ...made, ...(isShown && { secret: secretText(hub, id, keys) }) };
}

export function presentDelivery(delivery: Delivery): Schemas['WebhookDelivery'] {
  const { id, webhookId, messageId, kind, outcome, attempt, durationMs } = delivery;
  const { status, fault, body } = delivery;
  return {
    id,
    webhookId,
    messageId,
    kind,
    outcome,
    attempt,
    status,
    fault,
    durationMs,
    at: delivery.at,
    body,
  };
}
