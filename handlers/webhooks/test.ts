import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { iso } from '../../domain/instant.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { testMessage } from '../../workflows/webhooks/send.ts';
import { sendNow } from '../../workflows/webhooks/sendNow.ts';
import { presentDelivery } from './present.ts';

/** Sends one message now; the events of the webhook and its state are not touched. */
export const test: Handler<'webhooks.test'> = async ({ caller, path: { id } }, hub) => {
  const found = await hub.store.readOne((db) => webhookOf(db, caller.account, id));
  const { webhook } = found ?? noWebhook(id);
  const message = testMessage(hub, webhook, iso(hub.clock.now()));
  const delivery = await sendNow(hub, caller, { webhook, message, attempt: 1 });
  return { status: 200, body: presentDelivery(delivery) };
};
