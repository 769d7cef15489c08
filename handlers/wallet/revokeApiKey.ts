import { revokeApiKey as revoke } from '../../db/wallet/apiKeys.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { presentKept } from './present/apiKey.ts';

/** Ends an API key at once: the next call that brings it is refused. */
export const revokeApiKey: Handler<'wallet.revokeApiKey'> = async (call, hub) => {
  const { owner: account, id } = call.path;
  const at = hub.clock.now();
  const revoked = await hub.act(call, (tx) => revoke(tx, { account, id, at }));
  if (revoked !== undefined) return { status: 200, body: presentKept(revoked) };
  return refuse('not-found', {
    error: `The account has no API key ${id}.`,
    hint: `GET /api/v1/wallet/${account}/api-keys lists its keys.`,
    field: 'path.id',
  });
};
