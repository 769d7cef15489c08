import type { Handler } from '../../server/hub/handler.ts';
import { changeWebhook } from '../../workflows/webhooks/change.ts';
import { cursorGiven } from '../../workflows/webhooks/place.ts';
import { presentWebhook } from './present.ts';

export const replay: Handler<'webhooks.replay'> = async (call, hub) => {
  const { after } = call.body;
  const found = await changeWebhook(hub, call.caller, call.path.id, async ({ account }, tx) => ({
    cursor: await cursorGiven(tx, account, after),
    failures: 0,
    nextAt: hub.clock.now(),
  }));
  return { status: 200, body: presentWebhook(hub, found) };
};
