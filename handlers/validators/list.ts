import { standing } from '../../db/karma/entries.ts';
import { listSeats } from '../../db/validators/seats.ts';
import { defined } from '../../domain/defined.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentSeat } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const list: Handler<'validators.list'> = async (call, hub) => {
  const { limit, state, skill, after } = call.query;
  const network = networkNamed(hub, call.query.network, 'query.network');
  const filter = {
    network,
    ...defined({ state, skill, before: after }),
  };
  const { page, more } = await hub.store.read(async (db) => {
    const found = await listSeats(db, filter, limit + 1);
    const page: { readonly seat: ValidatorSeat; readonly karma: number }[] = [];
    for (const seat of found.slice(0, limit)) {
      page.push({ seat, karma: (await standing(db, seat.account)).total });
    }
    return { page, more: found.length > limit };
  });
  const {
    rows,
    shown,
    more: wasCut,
  } = cutPage(page, limit, ({ seat, karma }) => ({
    ...presentSeat(seat),
    endpointHost: seat.endpointHost,
    karma,
  }));
  const cut = { rows, more: more || wasCut };
  return {
    status: 200,
    body: {
      ...envelopeOf(cut, limit, ({ seat }) => seat.id),
      validators: shown,
      ...UNTRUSTED_TEXTS,
    },
  };
};
