import type { Handler } from '../../server/hub/handler.ts';
import { changeWebhook } from '../../workflows/webhooks/change.ts';
import { cursorGiven } from '../../workflows/webhooks/place.ts';
import { presentWebhook } from './present.ts';

export const replay: Handler<'webhooks.replay'> = async (call, hub) => {
  const { after } = call.body;
  const body = await hub.once(call, async (tx) => {
    const found = await changeWebhook(tx, call.caller, call.path.id, async ({ account }) => ({
      cursor: await cursorGiven(tx, account, after),
      failures: 0,
      nextAt: hub.clock.now(),
    }));
    return presentWebhook(hub, found);
  });
  return { status: 200, body };
};
