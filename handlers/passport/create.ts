import { readPassport, savePassport } from '../../db/passport/passports.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { mustOwnLive, noSuchPassport } from '../../workflows/passport/own.ts';
import { presentPassport } from './present.ts';

export const create: Handler<'passport.create'> = async (call, hub) => {
  const { caller } = call;
  const { keyId, displayName, bio } = call.body;
  const made = await hub.once(call, async (tx) => {
    const now = hub.clock.now();
    await mustOwnLive(tx, caller, keyId, now);
    await savePassport(tx, { keyId, ...defined({ displayName, bio }), createdAt: now });
    return presentPassport(tx, (await readPassport(tx, keyId)) ?? noSuchPassport(keyId), now);
  });
  return { status: 200, body: made };
};
