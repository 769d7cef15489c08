import { defined } from '../../domain/defined.ts';
import { cursorText } from '../../domain/eventCursor.ts';
import { iso } from '../../domain/instant.ts';
import type { WaitingWebhook } from '../../db/webhooks/webhooks.ts';
import type { Delivery } from '../../domain/webhooks/webhook.ts';
import type { components } from '../../generated/types.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { publicKeyText, secretText } from '../../workflows/webhooks/keys.ts';

type Schemas = components['schemas'];

export function presentWebhook(hub: Hub, { webhook, waiting }: WaitingWebhook): Schemas['Webhook'] {
  const { id, url, types, state, why, keys, former, cursor, failures, failingSince } = webhook;
  const isFormer = former !== undefined && former.until > hub.clock.now();
  return {
    id,
    url,
    types: [...types],
    state,
    ...defined({ why }),
    publicKey: publicKeyText(hub, id, keys),
    ...(isFormer && {
      previousPublicKey: publicKeyText(hub, id, former),
      previousUntil: iso(former.until),
    }),
    cursor: cursorText(cursor),
    waiting,
    failures,
    ...(failures > 0 && { nextAttemptAt: iso(webhook.nextAt) }),
    ...(failingSince !== undefined && { failingSince: iso(failingSince) }),
    ...(webhook.dropped > 0 && { dropped: webhook.dropped }),
    createdAt: iso(webhook.createdAt),
  };
}

/** With its secret, which no other answer has. */
export function presentWithSecret(hub: Hub, found: WaitingWebhook): Schemas['Webhook'] {
  const { id, keys } = found.webhook;
  return { ...presentWebhook(hub, found), secret: secretText(hub, id, keys) };
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
    ...defined({ status, fault }),
    durationMs,
    at: iso(delivery.at),
    body,
  };
}
