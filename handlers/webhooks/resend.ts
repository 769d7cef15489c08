import { deliveryOf, reviveLetter } from '../../db/webhooks/deliveries.ts';
import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { sendNow } from '../../workflows/webhooks/sendNow.ts';
import { presentDelivery } from './present.ts';

/** Sends the message of a delivery again, under the id that it had. */
export const resend: Handler<'webhooks.resend'> = async ({ caller, path }, hub) => {
  const { account } = caller;
  const { id: webhookId, deliveryId: id } = path;
  const { found, former } = await hub.store.read(async (db) => ({
    found: await webhookOf(db, account, webhookId),
    former: await deliveryOf(db, { id, account, webhookId }),
  }));
  const { webhook } = found ?? noWebhook(webhookId);
  const { messageId, kind, body, attempt } = former ?? noDelivery(webhookId, id);
  const again = { webhook, message: { id: messageId, kind, body }, attempt: attempt + 1 };
  const delivery = await sendNow(hub, caller, again, async (tx, { outcome }) => {
    if (outcome === 'delivered') await reviveLetter(tx, id);
  });
  return { status: 200, body: presentDelivery(delivery) };
};

function noDelivery(webhookId: string, id: string): never {
  return refuse('not-found', {
    error: `The webhook has no delivery ${id}.`,
    hint: `GET /api/v1/me/webhooks/${webhookId}/deliveries lists its deliveries.`,
    field: 'path.deliveryId',
  });
}
