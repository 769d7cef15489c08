import type { Reader } from '../../db/store.ts';
import { addressPartition } from '../kernel/addressPartition.ts';
import type { Hub } from '../kernel/hub.ts';
import { quotaLeft, takeQuota } from './quota.ts';

/** Looks that a caller may ask for, fresh checks and dry runs together (`verify-fresh`). */
const FRESH = {
  policy: 'fresh',
  max: 10,
  error: 'Fresh checks and dry runs are rationed to 10 an hour for each caller.',
  hint: 'Ask without `fresh`, or read the submission record of the origin.',
};

export function freshLeft(db: Reader, hub: Hub, ip: string): Promise<number> {
  return quotaLeft(db, hub, FRESH, addressPartition(ip));
}

/** Takes one, or refuses with the time when the next is free. */
export function takeFresh(hub: Hub, ip: string): Promise<void> {
  return takeQuota(hub, FRESH, addressPartition(ip));
}
