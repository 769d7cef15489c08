import { readPassport, savePassport } from '../../db/passport/passports.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { mustOwnLive, noSuchPassport } from '../../workflows/passport/own.ts';
import { presentPassport } from './present.ts';

export const create: Handler<'passport.create'> = async ({ body, caller }, hub) => {
  const { keyId, displayName, bio } = body;
  const made = await hub.act({ caller }, async (tx) => {
    const now = hub.clock.now();
    await mustOwnLive(tx, caller, keyId, now);
    await savePassport(tx, { keyId, ...defined({ displayName, bio }), createdAt: now });
    return presentPassport(tx, (await readPassport(tx, keyId)) ?? noSuchPassport(keyId), now);
  });
  return { status: 200, body: made };
};
