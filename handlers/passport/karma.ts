import { karmaPage, standing } from '../../db/karma/entries.ts';
import type { KarmaEntry } from '../../db/karma/entries.ts';
import { karmaFigures } from '../../db/karma/figures.ts';
import { accountOfKey } from '../../db/wallet/keys.ts';
import { defined } from '../../domain/defined.ts';
import { nextTier, tierOf } from '../../domain/karma.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import { applyDefaults } from '../../workflows/credit/defaults.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { presentFigures } from './present/standing.ts';

/** The standing of the account that a key acts for, with or without a passport. */
export const karma: Handler<'passport.karma'> = async (call, hub) => {
  const { keyId } = call.path;
  const { limit, cursor: after } = call.query;
  const account =
    hub.callers.boundAccount(keyId) ?? (await hub.store.readOne((db) => accountOfKey(db, keyId)));
  if (account !== undefined) await applyDefaults(hub, account);
  const page = { limit, ...defined({ before: after }) };
  const read = await hub.store.read(async (db) => {
    const owner = hub.callers.boundAccount(keyId) ?? (await accountOfKey(db, keyId));
    if (owner === undefined) return undefined;
    const has = await standing(db, owner);
    const figures = await karmaFigures(db, owner);
    return { owner, ...has, measured: figures, ...(await karmaPage(db, owner, page)) };
  });
  if (read === undefined) {
    return refuse('not-found', {
      error: `The key ${keyId} never signed here and is bound to no account.`,
      hint: 'GET /api/v1/me, signed, shows the standing of your own key.',
    });
  }
  const { owner, total, fromTestNetworks, entries, next, measured } = read;
  const above = nextTier(total);
  const { rows, shown, more } = cutPage(entries, limit, presentEntry);
  const cut = { rows, more: more || next !== undefined };
  return {
    status: 200,
    body: {
      keyId,
      owner,
      total,
      tier: tierOf(total),
      nextTier: above,
      ...presentFigures(measured),
      fromTestNetworks,
      ...envelopeOf(cut, limit, ({ id }) => id),
      entries: shown,
    },
  };
};

function presentEntry(entry: KarmaEntry): Schemas['KarmaEntry'] {
  const { id, at, delta, fullDelta, loweredBy, reason, ref, counterparty, money, listingId } =
    entry;
  return {
    id,
    at,
    delta,
    fullDelta,
    loweredBy,
    reason,
    ref,
    counterparty,
    listingId,
    networkKind: money,
  };
}
