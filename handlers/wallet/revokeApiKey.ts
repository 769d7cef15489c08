import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { API_KEYS } from '../../db/wallet/apiKeys.ts';
import type { Account } from '../../domain/account.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentKept } from './present/apiKey.ts';

/** Ends an API key at once: the next call that brings it is refused. */
export const revokeApiKey: Handler<'wallet.revokeApiKey'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const decide = (db: Decider) => {
    const found = db.find(API_KEYS, id);
    if (found?.account !== account) return noKey(account, id);
    const revoked = { ...found, revokedAt: found.revokedAt ?? hub.clock.now() };
    db.put(API_KEYS, id, revoked);
    return presentKept(revoked);
  };
  const needs = [need(API_KEYS, id)];
  return { status: 200, body: await hub.transactOnce(call, { needs, decide }) };
};

function noKey(account: Account, id: string): never {
  return refuse('not-found', {
    error: `The account has no API key ${id}.`,
    hint: `GET /api/v1/wallet/${account}/api-keys lists its keys.`,
    field: 'path.id',
  });
}
