import { boundKeys } from '../../db/wallet/keys.ts';
import { rulesOf } from '../../db/wallet/policies.ts';
import { proposalsOf } from '../../db/wallet/proposals.ts';
import type { KeyId } from '../../domain/account.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentBound, presentProposed } from './present/key.ts';
import { presentRule } from './present/policy.ts';

/** Bound keys, then pending ones: an owner sees every attempt to join (threats.key-hijack). */
export const keys: Handler<'wallet.keys'> = async (call, hub) => {
  const { owner } = call.path;
  const now = hub.clock.now();
  const { bound, pending, rules } = await hub.store.read(async (db) => ({
    bound: await boundKeys(db, owner),
    pending: await proposalsOf(db, owner, now),
    rules: await rulesOf(db, owner),
  }));
  const list = [...bound.map(presentBound), ...pending.map(presentProposed)].map((key) => {
    const rule = rules.get(key.publicKey as KeyId);
    return rule === undefined ? key : { ...key, ...presentRule(rule, now) };
  });
  return { status: 200, body: { owner, count: list.length, keys: list } };
};
