import { defined } from '../../domain/defined.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { changeWebhook, restarted } from '../../workflows/webhooks/change.ts';
import { addressGiven, cursorGiven } from '../../workflows/webhooks/place.ts';
import { presentWebhook } from './present.ts';

export const update: Handler<'webhooks.update'> = async (call, hub) => {
  const { url: given, types, state, after } = call.body;
  if ([given, types, state, after].every((each) => each === undefined)) refuseNothing();
  const url = given === undefined ? undefined : addressGiven(hub, given);
  const change = (webhook: Webhook): Partial<Webhook> => {
    const begins = state === 'active' || (url !== undefined && webhook.state === 'active');
    return {
      ...defined({ url, types }),
      ...(state === 'paused' && { state, why: undefined }),
      ...(begins && restarted(hub)),
      ...((url !== undefined || state === 'active') && { madeBy: call.caller.keyId }),
    };
  };
  const body = await hub.once(call, async (tx) => {
    const { account } = call.caller;
    const place = after !== undefined && {
      cursor: await cursorGiven(tx, account, after),
      failures: 0,
      nextAt: hub.clock.now(),
    };
    const both = (webhook: Webhook): Partial<Webhook> => ({ ...change(webhook), ...place });
    return presentWebhook(hub, await changeWebhook(tx, call.caller, call.path.id, both));
  });
  return { status: 200, body };
};

function refuseNothing(): never {
  return refuse('missing-field', {
    error: 'The call names nothing to change.',
    hint: 'Send `url`, `types`, `state` or `after`.',
    field: 'body',
  });
}
