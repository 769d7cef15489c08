import { readPulse } from '../../db/time/pulses.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';

export const pulse: Handler<'time.pulse'> = async ({ path: { seq } }, { store }) => {
  const found = await store.read(async (db) => {
    const wanted = seq === 'head' ? seq : Number(seq);
    const pulse = await readPulse(db, wanted);
    return { pulse, head: pulse === undefined ? await readPulse(db, 'head') : undefined };
  });
  if (found.pulse !== undefined) return { status: 200, body: found.pulse };
  if (found.head === undefined) {
    return refuse('not-found', {
      error: 'No pulse was issued yet.',
      hint: 'The first one comes at the end of the minute in which the hub began.',
    });
  }
  const newest = found.head.body.seq;
  return refuse('not-found', {
    error: `There is no pulse ${seq}; the newest is ${newest}.`,
    hint: `One is issued each minute. GET /api/v1/time/pulses/${newest} has the newest now.`,
  });
};
