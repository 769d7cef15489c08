import { instant } from '../../domain/instant.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { changeWebhook } from '../../workflows/webhooks/change.ts';
import { newKeys } from '../../workflows/webhooks/keys.ts';
import { presentMade, withSecret } from './present.ts';

/** How long the former keys sign beside the new ones. */
const OVERLAP_MS = 86_400_000;

export const rotate: Handler<'webhooks.rotate'> = async (call, hub) => {
  const endsNow = call.body?.now === true;
  const rotated = ({ keys }: Webhook): Partial<Webhook> => {
    const until = instant(hub.clock.now() + OVERLAP_MS);
    const former = endsNow ? undefined : { ...keys, until };
    return { keys: newKeys(hub, keys), former, madeBy: call.caller.keyId };
  };
  const body = await hub.once(call, async (tx) =>
    presentMade(hub, await changeWebhook(tx, call.caller, call.path.id, rotated)),
  );
  return { status: 200, body: await withSecret(hub, call.caller, body) };
};
