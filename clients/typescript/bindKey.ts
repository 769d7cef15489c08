import type { components } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { unwrap } from './refusal.ts';
import type { SignerOptions } from './sign.ts';

export type BoundKey = components['schemas']['BoundKey'];

export interface BindOptions {
  /** A name for the key, for the account's own reading. */
  readonly label?: string;
}

/**
 * Has a new key join the account that `hub` signs for: the same request is signed by the new key
 * and by the hub's own, since neither alone binds anything. Use a key that has done nothing yet;
 * one whose own account was used keeps it (`key-bound`). After a lost answer call it again.
 */
export async function bindKey(
  hub: Hub,
  newKey: SignerOptions,
  { label }: BindOptions = {},
): Promise<BoundKey> {
  // A key may sign for an account of another name; only the hub knows which.
  const { owner } = unwrap(await hub.GET('/api/v1/me'));
  const params = { path: { owner } };
  const body = { publicKey: newKey.keyId, ...(label !== undefined && { label }) };
  const path = '/api/v1/wallet/{owner}/keys';
  unwrap(await hub.as(newKey).POST(path, { params, body }));
  return unwrap(await hub.POST(path, { params, body }));
}
