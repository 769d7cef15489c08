import { webhooksOf } from '../../db/webhooks/webhooks.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentWebhook } from './present.ts';

export const list: Handler<'webhooks.list'> = async ({ caller: { account } }, hub) => {
  const found = await hub.store.readOne((db) => webhooksOf(db, account));
  const webhooks = found.map((each) => presentWebhook(hub, each));
  return { status: 200, body: { count: webhooks.length, webhooks } };
};
