import { standing } from '../../db/karma/entries.ts';
import { judgeRecord, reliabilities } from '../../db/validators/judgeRecords.ts';
import { listSeats, seatById, seatOf } from '../../db/validators/seats.ts';
import type { Reader } from '../../db/store.ts';
import { parseAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import type { Call, Reply } from '../../workflows/kernel/call.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { presentFigures } from './present/figures.ts';
import { presentPublicSeat, type SeatShown } from './present.ts';
import { cutPage, envelopeOf } from '../page.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';

const SEAT_ID = /^[0-9a-f-]{36}$/;

export const list: Handler<'validators.list'> = (call, hub) =>
  call.query.id === undefined ? page(call, hub) : one(call.query.id, call.query.limit, hub);

async function page(call: Call<'validators.list'>, hub: Hub): Promise<Reply<'validators.list'>> {
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
}

/** One judge of any network and state, with all that was measured of it. */
async function one(id: string, limit: number, hub: Hub): Promise<Reply<'validators.list'>> {
  const found = await hub.store.read(async (db) => {
    const seat = await seatNamed(db, id);
    if (seat === undefined) return undefined;
    const { total: karma } = await standing(db, seat.account);
    return { seat, karma, record: await judgeRecord(db, seat.account) };
  });
  if (found === undefined) {
    return refuse('not-found', {
      error: `There is no validator with the id or account ${id}.`,
      hint: 'GET /api/v1/validators lists the seats with their ids and accounts.',
      field: 'query.id',
    });
  }
  const { seat, karma, record } = found;
  const reliabilityBps = record?.figures.reliabilityBps;
  return {
    status: 200,
    body: {
      count: 1,
      limit,
      hasMore: false,
      validators: [presentPublicSeat({ seat, karma, ...defined({ reliabilityBps }) })],
      measures: presentFigures(record, seat.network),
      ...UNTRUSTED_TEXTS,
    },
  };
}

async function seatNamed(db: Reader, name: string): Promise<ValidatorSeat | undefined> {
  if (SEAT_ID.test(name)) return seatById(db, name);
  const account = parseAccount(name);
  return account && seatOf(db, account);
}
