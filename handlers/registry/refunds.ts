import { setRefunds } from '../../db/passport/listings.ts';
import { refundsOf } from '../../domain/registry/promise.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { listingOf, mustHold } from '../../workflows/registry/found.ts';

/** The word of the holder on bad answers (choices router.refunds); a repeat changes nothing. */
export const refunds: Handler<'registry.refunds'> = async (call, hub) => {
  const { caller, path } = call;
  const { refunds } = call.body;
  const body = await hub.once(call, async (tx) => {
    const listing = await listingOf(tx, path.id);
    await mustHold(tx, listing, caller.account, 'says this');
    if (listing.refunds !== refunds) {
      await setRefunds(tx, listing.id, refunds, hub.clock.now());
    }
    return { id: listing.id, refunds: refundsOf({ ...listing, refunds }) };
  });
  return { status: 200, body };
};
