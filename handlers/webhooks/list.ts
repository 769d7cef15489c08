import { webhookOf, webhooksOf } from '../../db/webhooks/webhooks.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { presentWebhook } from './present.ts';

export const list: Handler<'webhooks.list'> = async ({ caller, query: { id } }, hub) => {
  const { account } = caller;
  const found = await hub.store.readOne(async (db) =>
    id === undefined
      ? webhooksOf(db, account)
      : [(await webhookOf(db, account, id)) ?? noWebhook(id, 'query.id')],
  );
  const webhooks = found.map((each) => presentWebhook(hub, each));
  return { status: 200, body: { count: webhooks.length, webhooks } };
};
