import { API_KEYS_MAX, insertApiKey } from '../../db/wallet/apiKeys.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { iso } from '../../domain/instant.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';

const KEY_BYTES = 32;
const HINT_LENGTH = 10;

/** Makes a key of the compatible door; the hub keeps its digest alone (Authentication 12). */
export const mintApiKey: Handler<'wallet.mintApiKey'> = async (call, hub) => {
  const { owner: account } = call.path;
  const label = call.body?.label;
  const key = `hub_${Buffer.from(hub.random(KEY_BYTES)).toString('base64url')}`;
  const kept = {
    id: hub.ids.uuid(),
    account,
    hint: key.slice(0, HINT_LENGTH),
    ...defined({ label }),
    mintedBy: call.caller.keyId,
    createdAt: hub.clock.now(),
  };
  const isKept = await hub.act(call, (tx) => insertApiKey(tx, kept, sha256Hex(key)));
  if (!isKept) {
    refuse('ceiling-reached', {
      error: `The account has ${API_KEYS_MAX} API keys, which is as many as it may.`,
      hint: `Revoke one, and send the call again: \`GET /api/v1/wallet/${account}/api-keys\` lists them, and a POST to its id with /revoke behind it ends one.`,
    });
  }
  const { id, hint, createdAt } = kept;
  return {
    status: 200,
    body: {
      id,
      owner: account,
      key,
      hint,
      ...defined({ label }),
      door: '/v1',
      createdAt: iso(createdAt),
    },
  };
};
