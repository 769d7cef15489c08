import { defined } from '../../domain/defined.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { changeWebhook, restarted } from '../../workflows/webhooks/change.ts';
import { addressGiven } from '../../workflows/webhooks/place.ts';
import { presentWebhook } from './present.ts';

export const update: Handler<'webhooks.update'> = async (call, hub) => {
  const { url: given, types, state } = call.body;
  if (given === undefined && types === undefined && state === undefined) refuseNothing();
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
  const body = await hub.once(call, async (tx) =>
    presentWebhook(hub, await changeWebhook(tx, call.caller, call.path.id, change)),
  );
  return { status: 200, body };
};

function refuseNothing(): never {
  return refuse('missing-field', {
    error: 'The call names nothing to change.',
    hint: 'Send `url`, `types` or `state`.',
    field: 'body',
  });
}
