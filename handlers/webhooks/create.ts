import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { SLOW_MS, WEBHOOKS_MAX, type Webhook } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { WEBHOOKS_TOPIC } from '../../workflows/topics.ts';
import { newKeys } from '../../workflows/webhooks/keys.ts';
import { addressGiven, cursorGiven } from '../../workflows/webhooks/place.ts';
import { presentMade, withSecret } from './present.ts';

/** Makes a webhook; its secret is stored nowhere. */
export const create: Handler<'webhooks.create'> = async (call, hub) => {
  const { account } = call.caller;
  const { types = [], after } = call.body;
  const url = addressGiven(hub, call.body.url);
  const id = hub.ids.uuid();
  const body = await hub.once(call, async (tx) => {
    const at = hub.clock.now();
    const made: Webhook = {
      id,
      account,
      url,
      types,
      state: 'active',
      why: undefined,
      createdAt: at,
      cursor: await cursorGiven(tx, account, after),
      dropped: 0,
      failures: 0,
      failedSequence: undefined,
      nextAt: at,
      failingSince: undefined,
      paceMs: SLOW_MS,
      keys: newKeys(hub),
      former: undefined,
      madeBy: call.caller.keyId,
      revision: 1,
    };
    if (!(await insertWebhook(tx, made))) refuseMore();
    tx.publish(WEBHOOKS_TOPIC);
    return presentMade(hub, { webhook: made, waiting: 0 });
  });
  return { status: 200, body: await withSecret(hub, call.caller, body) };
};

function refuseMore(): never {
  return refuse('ceiling-reached', {
    error: `Your account has ${WEBHOOKS_MAX} webhooks, the maximum.`,
    hint: 'Delete one, and send the call again: GET /api/v1/me/webhooks lists them, and a POST to its id with /delete behind it deletes one.',
  });
}
