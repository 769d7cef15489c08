import { revokeApiKey as revoke } from '../../db/wallet/apiKeys.ts';
import type { Account } from '../../domain/account.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentKept } from './present/apiKey.ts';

/** Ends an API key at once: the next call that brings it is refused. */
export const revokeApiKey: Handler<'wallet.revokeApiKey'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const at = hub.clock.now();
  const body = await hub.once(call, async (tx) =>
    presentKept((await revoke(tx, { account, id, at })) ?? noKey(account, id)),
  );
  return { status: 200, body };
};

function noKey(account: Account, id: string): never {
  return refuse('not-found', {
    error: `The account has no API key ${id}.`,
    hint: `GET /api/v1/wallet/${account}/api-keys lists its keys.`,
    field: 'path.id',
  });
}
