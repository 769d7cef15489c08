import { ceilingOf } from '../../db/models/spend.ts';
import { apiKeysOf } from '../../db/wallet/apiKeys.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentKept } from './present/apiKey.ts';

export const apiKeys: Handler<'wallet.apiKeys'> = async ({ path }, hub) => {
  const { owner } = path;
  const [kept, modelsPerDay] = await hub.store.read(async (db) => [
    await apiKeysOf(db, owner),
    await ceilingOf(db, owner),
  ]);
  const keys = kept.map(presentKept);
  return { status: 200, body: { owner, count: kept.length, ...defined({ modelsPerDay }), keys } };
};
