import { standing } from '../../db/karma/entries.ts';
import type { Reader } from '../../db/store.ts';
import { judgeRecord } from '../../db/validators/judgeRecords.ts';
import { seatById, seatOf } from '../../db/validators/seats.ts';
import { parseAccount } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { UNTRUSTED_TEXTS } from '../untrusted.ts';
import { presentFigures } from './present/figures.ts';
import { presentPublicSeat } from './present.ts';

const SEAT_ID = /^[0-9a-f-]{36}$/;

export const get: Handler<'validators.get'> = async (call, hub) => {
  const { id } = call.path;
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

async function seatNamed(db: Reader, name: string): Promise<ValidatorSeat | undefined> {
  if (SEAT_ID.test(name)) return seatById(db, name);
  const account = parseAccount(name);
  return account && seatOf(db, account);
}
