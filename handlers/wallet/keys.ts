import { boundKeys } from '../../db/wallet/keys.ts';
import { proposalsOf } from '../../db/wallet/proposals.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentBound, presentProposed } from './present/key.ts';

/**
 * Bound keys, then those that did not join yet: an owner sees every attempt
 * (threats.key-hijack).
 */
export const keys: Handler<'wallet.keys'> = async (call, hub) => {
  const { owner } = call.path;
  const { bound, pending } = await hub.store.read(async (db) => ({
    bound: await boundKeys(db, owner),
    pending: await proposalsOf(db, owner, hub.clock.now()),
  }));
  const list = [...bound.map(presentBound), ...pending.map(presentProposed)];
  return { status: 200, body: { owner, count: list.length, keys: list } };
};
