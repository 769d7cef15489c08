import { standing } from '../../db/karma/entries.ts';
import { reliabilities } from '../../db/validators/judgeRecords.ts';
import { listSeats } from '../../db/validators/seats.ts';
import { defined } from '../../domain/defined.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentPublicSeat, type SeatShown } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

export const list: Handler<'validators.list'> = async (call, hub) => {
  const { limit, state, skill, cursor: after, order } = call.query;
  const network = networkNamed(hub, call.query.network, 'query.network');
  const filter = {
    network,
    ...defined({ state, skill, before: after }),
    byReliability: order === 'reliability',
  };
  const { page, more } = await hub.store.read(async (db) => {
    const found = await listSeats(db, filter, limit + 1);
    const seats = found.slice(0, limit);
    const measured = await reliabilities(
      db,
      seats.map(({ account }) => account),
    );
    const page: SeatShown[] = [];
    for (const seat of seats) {
      const { total: karma } = await standing(db, seat.account);
      page.push({ seat, karma, ...defined({ reliabilityBps: measured.get(seat.account) }) });
    }
    return { page, more: found.length > limit };
  });
  const { rows, shown, more: wasCut } = cutPage(page, limit, presentPublicSeat);
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
