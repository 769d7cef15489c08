import { insertDelivery } from '../../db/webhooks/deliveries.ts';
import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { defined } from '../../domain/defined.ts';
import { iso } from '../../domain/instant.ts';
import { faultOf, isDelivered } from '../../domain/webhooks/attempt.ts';
import type { Delivery } from '../../domain/webhooks/webhook.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { mustLock, noWebhook } from '../../workflows/webhooks/own.ts';
import { testMessage } from '../../workflows/webhooks/send.ts';
import { sendNow } from '../../workflows/webhooks/sendNow.ts';
import { presentDelivery } from './present.ts';

/** Sends one message now; the events of the webhook and its state are not touched. */
export const test: Handler<'webhooks.test'> = async ({ caller, path: { id } }, hub) => {
  const { account } = caller;
  const found = await hub.store.readOne((db) => webhookOf(db, account, id));
  const { webhook } = found ?? noWebhook(id);
  const message = testMessage(hub, webhook, iso(hub.clock.now()));
  const result = await sendNow(hub, caller, webhook, message);
  const delivery: Delivery = {
    id: hub.ids.uuid(),
    webhookId: id,
    account,
    messageId: message.id,
    kind: message.kind,
    outcome: isDelivered(result) ? 'delivered' : 'failed',
    attempt: 1,
    ...defined({ status: result.status, fault: faultOf(result) }),
    durationMs: result.durationMs,
    at: hub.clock.now(),
  };
  await hub.store.write(async (tx) => {
    await mustLock(tx, account, id);
    await insertDelivery(tx, delivery);
  });
  return { status: 200, body: presentDelivery(delivery) };
};
