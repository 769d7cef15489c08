import { iso } from '../../domain/instant.ts';
import { endOf, minuteIso } from '../../domain/time/minute.ts';
import { signObject } from '../../domain/time/signedObject.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { takeStamp } from '../../workflows/time/stamps.ts';

type StampPromise = components['schemas']['StampPromise'];

/** The same digest twice in a minute is one leaf, and its promise is the same to the byte. */
export const stamp: Handler<'time.stamp'> = async ({ body: { digest } }, hub) => {
  const leaf = await takeStamp(hub, digest.toLowerCase());
  const minute = minuteIso(leaf.minute);
  const body: StampPromise['body'] = {
    digest: leaf.digest,
    minute,
    pulse: minute,
    receivedAt: iso(leaf.receivedAt),
    keyId: leaf.keyId,
  };
  // A promise is repeated with the key that made it, though another may sign by now.
  const key = hub.keys.find(leaf.keyId);
  if (key === undefined) refuse('busy', { error: 'The key of this promise is not here.' });
  const { bytes, signature } = signObject('promise', body, key.sign);
  return {
    status: 200,
    body: { body, bytes, signature, proofAt: endOf(leaf.minute) },
  };
};
