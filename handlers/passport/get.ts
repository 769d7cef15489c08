import { readPassport } from '../../db/passport/passports.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { noSuchPassport } from '../../workflows/passport/own.ts';
import { presentPassport } from './present.ts';

export const get: Handler<'passport.get'> = async ({ path: { keyId } }, hub) => ({
  status: 200,
  body: await hub.store.read(async (db) =>
    presentPassport(db, (await readPassport(db, keyId)) ?? noSuchPassport(keyId), hub.clock.now()),
  ),
});
