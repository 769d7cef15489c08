import type { Reader } from '../../db/store.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { quotaLeft, takeQuota } from '../registry/quota.ts';

/** Checks of one origin, whoever asks for them (choices pipeline.limits). */
const CHECKS = {
  max: 6,
  error: 'Checks for proofs are rationed to 6 an hour for each origin, whoever asks for them.',
  hint: 'Publish the proof first, and check it once: GET /api/v1/agents/{id}/claim has the exact texts.',
};

const named = (origin: string): string => `passport-verify ${origin}`;

export function checksLeft(db: Reader, hub: Hub, origin: string): Promise<number> {
  return quotaLeft(db, hub, CHECKS, named(origin));
}

export function takeCheck(hub: Hub, origin: string): Promise<void> {
  return takeQuota(hub, CHECKS, named(origin));
}
