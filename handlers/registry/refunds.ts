import { setRefunds } from '../../db/passport/listings.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { holderOf, listingOf } from '../../workflows/registry/found.ts';

/** The word of the holder on bad answers (choices router.refunds); a repeat changes nothing. */
export const refunds: Handler<'registry.refunds'> = async (call, hub) => {
  const { body, caller, path } = call;
  const id = await hub.act(call, async (tx) => {
    const listing = await listingOf(tx, path.id);
    const holder = await holderOf(tx, listing);
    if (holder !== caller.account) {
      return refuse('not-a-party', {
        error: `Only the account that holds this listing says this; ${holder === undefined ? 'it has no holder' : `that is ${holder}`}.`,
        hint: `GET /api/v1/agents/${listing.id}/claim says how its operator takes it over.`,
      });
    }
    if (listing.refunds !== body.refunds) {
      await setRefunds(tx, listing.id, body.refunds, hub.clock.now());
    }
    return listing.id;
  });
  return { status: 200, body: { id, refunds: body.refunds } };
};
