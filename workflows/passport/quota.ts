import type { Reader } from '../../db/store.ts';
import type { Signer, Visitor } from '../kernel/call.ts';
import type { Hub } from '../kernel/hub.ts';
import { quotaLeft, takeQuota } from '../registry/quota.ts';

/**
 * Checks of one origin (choices pipeline.limits): the unsigned ones share a quota, and each signer
 * has one of its own, so that no visitor uses up the owner's.
 */
type Asker = Signer | Visitor;
const CHECKS = {
  policy: 'proofs',
  max: 6,
  error:
    'Checks for proofs are rationed to 6 an hour for each origin: 6 unsigned ones together, 6 for each signer.',
  hint: 'Publish the proof first, and check it once: GET /api/v1/agents/{id}/claim has the exact texts.',
};

function named(origin: string, asker: Asker): string {
  const share = asker.kind === 'signer' ? ` ${asker.account}` : '';
  return `passport-verify ${origin}${share}`;
}

export function checksLeft(db: Reader, hub: Hub, origin: string, asker: Asker): Promise<number> {
  return quotaLeft(db, hub, CHECKS, named(origin, asker));
}

export function takeCheck(hub: Hub, origin: string, asker: Asker): Promise<void> {
  return takeQuota(hub, CHECKS, named(origin, asker));
}
