import { deliveryOf, saveResent } from '../../db/webhooks/deliveries.ts';
import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { defined } from '../../domain/defined.ts';
import { faultOf, isDelivered } from '../../domain/webhooks/attempt.ts';
import type { Delivery } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { sendNow } from '../../workflows/webhooks/sendNow.ts';
import { presentDelivery } from './present.ts';

/** Sends a dead letter now, under the id that it had. */
export const resend: Handler<'webhooks.resend'> = async ({ caller, path }, hub) => {
  const { account } = caller;
  const { id: webhookId, deliveryId: id } = path;
  const { found, letter } = await hub.store.read(async (db) => ({
    found: await webhookOf(db, account, webhookId),
    letter: await deliveryOf(db, { id, account, webhookId }),
  }));
  const { webhook } = found ?? noWebhook(webhookId);
  const { messageId, kind, attempt, body } = letter ?? noLetter(webhookId, id);
  if (body === undefined) return refuseLiving(webhookId);
  const result = await sendNow(hub, caller, webhook, { id: messageId, kind, body });
  const outcome = isDelivered(result) ? 'delivered' : 'dead';
  const sent: Delivery = {
    ...{ id, webhookId, account, messageId, kind, outcome },
    attempt: attempt + 1,
    ...defined({ status: result.status, fault: faultOf(result) }),
    durationMs: result.durationMs,
    at: hub.clock.now(),
    ...(outcome === 'dead' && { body }),
  };
  await hub.store.write((tx) => saveResent(tx, sent));
  return { status: 200, body: presentDelivery(sent) };
};

function noLetter(webhookId: string, id: string): never {
  return refuse('not-found', {
    error: `The webhook has no delivery ${id}.`,
    hint: `GET /api/v1/me/webhooks/${webhookId}/deliveries?outcome=dead lists its dead letters.`,
    field: 'path.deliveryId',
  });
}

function refuseLiving(webhookId: string): never {
  return refuse('wrong-state', {
    error: 'This delivery is not a dead letter.',
    hint: `GET /api/v1/me/webhooks/${webhookId}/deliveries?outcome=dead lists the dead letters; webhooks.replay sends other events again.`,
  });
}
