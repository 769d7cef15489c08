import { sha256Hex } from '../../../../domain/digest.ts';
import { isRefusal } from '../../../../clients/typescript/index.ts';
import type { Activity } from '../world.ts';

export const stamp: Activity = async (own) => {
  const digest = sha256Hex(own.newKey());
  try {
    const { body } = await own.ask((hub) => hub.POST('/api/v1/time/stamp', { body: { digest } }));
    own.kept.stamps.set(digest, { pulse: body.pulse, at: performance.now() });
  } catch (error) {
    // A clock that was set back signs nothing before it has passed its last promise.
    if (!isRefusal(error, 'clock-stepped')) throw error;
  }
};
