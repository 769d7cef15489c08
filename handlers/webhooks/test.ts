import { deliveryOf, reviveLetter } from '../../db/webhooks/deliveries.ts';
import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { iso } from '../../domain/instant.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { testMessage } from '../../workflows/webhooks/send.ts';
import { sendNow } from '../../workflows/webhooks/sendNow.ts';
import { presentDelivery } from './present.ts';

/** Sends one message now, a test or that of a delivery; the place of the webhook stays. */
export const test: Handler<'webhooks.test'> = async ({ caller, path: { id }, body }, hub) => {
  const { account } = caller;
  const deliveryId = body?.deliveryId;
  const { found, former } = await hub.store.read(async (db) => ({
    found: await webhookOf(db, account, id),
    former: deliveryId && (await deliveryOf(db, { id: deliveryId, account, webhookId: id })),
  }));
  const { webhook } = found ?? noWebhook(id);
  if (deliveryId === undefined) {
    const message = testMessage(hub, webhook, iso(hub.clock.now()));
    const sent = await sendNow(hub, caller, { webhook, message, attempt: 1 });
    return { status: 200, body: presentDelivery(sent) };
  }
  const { messageId, kind, body: text, attempt } = former || noDelivery(id, deliveryId);
  const message = { id: messageId, kind, body: text };
  const again = { webhook, message, attempt: attempt + 1 };
  const sent = await sendNow(hub, caller, again, async (tx, { outcome }) => {
    if (outcome === 'delivered') await reviveLetter(tx, deliveryId);
  });
  return { status: 200, body: presentDelivery(sent) };
};

function noDelivery(webhookId: string, id: string): never {
  return refuse('not-found', {
    error: `The webhook has no delivery ${id}.`,
    hint: `GET /api/v1/me/webhooks/${webhookId}/deliveries lists its deliveries.`,
    field: 'body.deliveryId',
  });
}
