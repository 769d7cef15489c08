import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { changeWebhook, restarted } from '../../workflows/webhooks/change.ts';
import { newKeys } from '../../workflows/webhooks/keys.ts';
import { addressGiven, cursorGiven } from '../../workflows/webhooks/place.ts';
import { presentMade, presentWebhook, withSecret } from './present.ts';

/** How long the former keys sign beside the new ones. */
const OVERLAP_MS = 86_400_000;

export const update: Handler<'webhooks.update'> = async (call, hub) => {
  const { url: given, types, state, after, rotateSecret } = call.body;
  const all = [given, types, state, after, rotateSecret];
  if (all.every((each) => each === undefined)) refuseNothing();
  const url = given === undefined ? undefined : addressGiven(hub, given);
  const isOfKey = url !== undefined || state === 'active' || rotateSecret !== undefined;
  const change = (webhook: Webhook): Partial<Webhook> => {
    const begins = state === 'active' || (url !== undefined && webhook.state === 'active');
    return {
      ...defined({ url, types }),
      ...(state === 'paused' && { state, why: undefined }),
      ...(begins && restarted(hub)),
      ...(rotateSecret && rotated(hub, webhook, rotateSecret)),
      ...(isOfKey && { madeBy: call.caller.keyId }),
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
    const changed = await changeWebhook(tx, call.caller, call.path.id, both);
    return rotateSecret ? presentMade(hub, changed) : presentWebhook(hub, changed);
  });
  return { status: 200, body: rotateSecret ? await withSecret(hub, call.caller, body) : body };
};

function rotated(hub: Hub, { keys }: Webhook, how: 'overlap' | 'now'): Partial<Webhook> {
  const until = instant(hub.clock.now() + OVERLAP_MS);
  return { keys: newKeys(hub, keys), former: how === 'now' ? undefined : { ...keys, until } };
}

function refuseNothing(): never {
  return refuse('missing-field', {
    error: 'The call names nothing to change.',
    hint: 'Send `url`, `types`, `state`, `after` or `rotateSecret`.',
    field: 'body',
  });
}
