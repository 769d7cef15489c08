import { insertDelivery } from '../../db/webhooks/deliveries.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import { faultOf, isDelivered } from '../../domain/webhooks/attempt.ts';
import type { Message } from '../../domain/webhooks/message.ts';
import type { Delivery, Webhook } from '../../domain/webhooks/webhook.ts';
import { admitNow } from '../kernel/admission.ts';
import type { Signer } from '../kernel/call.ts';
import { refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustLock } from './own.ts';
import { sendMessage } from './send.ts';

/** An attempt that the caller waits for. Its order among the events is not defined. */
export async function sendNow(
  hub: Hub,
  caller: Signer,
  {
    webhook,
    message,
    attempt,
  }: {
    readonly webhook: Webhook;
    readonly message: Message;
    readonly attempt: number;
  },
  also: (tx: Writer, delivery: Delivery) => Promise<void> = () => Promise.resolve(),
): Promise<Delivery> {
  const { id: webhookId, account } = webhook;
  await admitNow(hub, caller);
  const result = (await sendMessage(hub, webhook, message)) ?? refuseBusy();
  const delivery: Delivery = {
    id: hub.ids.uuid(),
    webhookId,
    account,
    messageId: message.id,
    kind: message.kind,
    outcome: isDelivered(result) ? 'delivered' : 'failed',
    attempt,
    ...defined({ status: result.status, fault: faultOf(result) }),
    durationMs: result.durationMs,
    at: hub.clock.now(),
    body: message.body,
  };
  await hub.act({ caller }, async (tx) => {
    await mustLock(tx, account, webhookId);
    await insertDelivery(tx, delivery);
    await also(tx, delivery);
  });
  return delivery;
}

function refuseBusy(): never {
  return refuse('busy', {
    error: 'The hub has too many calls under way and did not send the message.',
    hint: 'Send the call again in a few seconds, with a fresh nonce.',
  });
}
