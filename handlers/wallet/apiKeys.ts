import { apiKeysOf } from '../../db/wallet/apiKeys.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentKept } from './present/apiKey.ts';

export const apiKeys: Handler<'wallet.apiKeys'> = async ({ path }, hub) => {
  const { owner } = path;
  const kept = await hub.store.readOne((db) => apiKeysOf(db, owner));
  return { status: 200, body: { owner, count: kept.length, keys: kept.map(presentKept) } };
};
