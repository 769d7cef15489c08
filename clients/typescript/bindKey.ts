import type { components } from '../../generated/types.ts';
import type { Hub } from './hub.ts';
import { unwrap } from './refusal.ts';
import type { SignerOptions } from './sign.ts';
import { defined } from '../../domain/defined.ts';

export type BoundKey = components['schemas']['BoundKey'];

export interface BindOptions {
  readonly label?: string;
}

/**
 * Joins a new key to the account that `hub` signs for. Both keys sign the same request, since
 * neither alone binds anything. The new key must be unused (`key-bound`). After a lost answer call
 * it again.
 */
export async function bindKey(
  hub: Hub,
  newKey: SignerOptions,
  { label }: BindOptions = {},
): Promise<BoundKey> {
  // A key may sign for an account of another name; only the hub knows which.
  const { owner } = unwrap(await hub.GET('/api/v1/me'));
  const params = { path: { owner } };
  const body = { publicKey: newKey.keyId, ...defined({ label }) };
  const path = '/api/v1/wallet/{owner}/keys';
  unwrap(await hub.as(newKey).POST(path, { params, body }));
  return unwrap(await hub.POST(path, { params, body }));
}
