import { deleteWebhook, webhookOf } from '../../db/webhooks/webhooks.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustLock, noWebhook } from '../../workflows/webhooks/own.ts';
import { presentWebhook } from './present.ts';

export const remove: Handler<'webhooks.delete'> = async (call, hub) => {
  const { account } = call.caller;
  const { id } = call.path;
  const body = await hub.once(call, async (tx) => {
    await mustLock(tx, account, id);
    const found = (await webhookOf(tx, account, id)) ?? noWebhook(id);
    await deleteWebhook(tx, id);
    return presentWebhook(hub, found);
  });
  return { status: 200, body };
};
