import { webhookOf } from '../../db/webhooks/webhooks.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { presentWebhook } from './present.ts';

export const get: Handler<'webhooks.get'> = async ({ path: { id }, caller }, hub) => {
  const found = await hub.store.readOne((db) => webhookOf(db, caller.account, id));
  return { status: 200, body: presentWebhook(hub, found ?? noWebhook(id)) };
};
