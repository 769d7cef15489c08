import { listKeys } from '../../db/wallet/keys.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentBound, presentProposed } from './present/key.ts';

/**
 * Bound keys, then those that nobody confirmed yet: an owner sees every attempt
 * (threats.key-hijack).
 */
export const keys: Handler<'wallet.keys'> = async (call, hub) => {
  const { owner } = call.path;
  const { bound, pending } = await hub.store.read((db) => listKeys(db, owner, hub.clock.now()));
  const list = [...bound.map(presentBound), ...pending.map(presentProposed)];
  return { status: 200, body: { owner, count: list.length, keys: list } };
};
