import { instant } from '../../domain/instant.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { changeWebhook } from '../../workflows/webhooks/change.ts';
import { newKeys } from '../../workflows/webhooks/keys.ts';
import { presentWithSecret } from './present.ts';

/** How long the former keys sign beside the new ones. */
const OVERLAP_MS = 86_400_000;

export const rotate: Handler<'webhooks.rotate'> = async (call, hub) => {
  const endsNow = call.body?.now === true;
  const found = await changeWebhook(hub, call.caller, call.path.id, ({ keys }) => {
    const until = instant(hub.clock.now() + OVERLAP_MS);
    const former = endsNow ? undefined : { ...keys, until };
    return { keys: newKeys(hub, keys), former, madeBy: call.caller.keyId };
  });
  return { status: 200, body: presentWithSecret(hub, found) };
};
