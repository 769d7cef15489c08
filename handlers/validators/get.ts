import { standing } from '../../db/karma/entries.ts';
import { judgeRecord } from '../../db/validators/judgeRecords.ts';
import { seatById } from '../../db/validators/seats.ts';
import { defined } from '../../domain/defined.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentFigures } from './present/figures.ts';
import { presentPublicSeat } from './present.ts';

export const get: Handler<'validators.get'> = async (call, hub) => {
  const { id } = call.path;
  const found = await hub.store.read(async (db) => {
    const seat = await seatById(db, id);
    if (seat === undefined) return undefined;
    const { total: karma } = await standing(db, seat.account);
    return { seat, karma, record: await judgeRecord(db, seat.account) };
  });
  if (found === undefined) {
    return refuse('not-found', {
      error: `There is no validator with the id ${id}.`,
      hint: 'GET /api/v1/validators lists the seats with their ids.',
    });
  }
  const { seat, karma, record } = found;
  const reliabilityBps = record?.figures.reliabilityBps;
  return {
    status: 200,
    body: {
      validator: presentPublicSeat({ seat, karma, ...defined({ reliabilityBps }) }),
      measures: presentFigures(record, seat.network),
      ...UNTRUSTED_TEXTS,
    },
  };
};
