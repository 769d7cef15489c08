import { deliveriesOf } from '../../db/webhooks/deliveries.ts';
import { webhookOf } from '../../db/webhooks/webhooks.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noWebhook } from '../../workflows/webhooks/own.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentDelivery } from './present.ts';

export const deliveries: Handler<'webhooks.deliveries'> = async ({ path, query, caller }, hub) => {
  const { account } = caller;
  const { outcome, limit, cursor: after } = query;
  const found = await hub.store.read(async (db) => {
    if ((await webhookOf(db, account, path.id)) === undefined) noWebhook(path.id);
    const page = { limit: limit + 1, ...defined({ outcome, before: after }) };
    return deliveriesOf(db, { account, webhookId: path.id }, page);
  });
  const { rows, shown, more } = cutPage(found, limit, presentDelivery);
  const envelope = envelopeOf({ rows, more }, limit, ({ id }) => id);
  return { status: 200, body: { ...envelope, deliveries: shown, ...UNTRUSTED_TEXTS } };
};
