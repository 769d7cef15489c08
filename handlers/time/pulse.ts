import { readPulse } from '../../db/time/pulses.ts';
import { withdrawnAt } from '../../db/time/withdrawn.ts';
import type { Pulse } from '../../domain/time/pulse.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { presentWithdrawn } from './present.ts';

/** A number whose pulses were all withdrawn shows the last of them, which says so. */
export const pulse: Handler<'time.pulse'> = async ({ path: { seq } }, { store }) => {
  const { pulse, withdrawn, head } = await store.read(async (db) => {
    const counted = await readPulse(db, seq === 'head' ? seq : Number(seq));
    const place = counted?.body.seq ?? (seq === 'head' ? undefined : Number(seq));
    const withdrawn = place === undefined ? [] : await withdrawnAt(db, 'pulse', place);
    const pulse = counted ?? (withdrawn.at(-1)?.signed as Pulse | undefined);
    return {
      pulse,
      withdrawn,
      head: pulse === undefined ? await readPulse(db, 'head') : undefined,
    };
  });
  if (pulse !== undefined)
    return { status: 200, body: { ...pulse, ...presentWithdrawn(withdrawn) } };
  if (head === undefined) {
    return refuse('not-found', {
      error: 'No pulse was issued yet.',
      hint: 'The first one comes at the end of the minute in which the hub began.',
    });
  }
  const newest = head.body.seq;
  return refuse('not-found', {
    error: `There is no pulse ${seq}; the newest is ${newest}.`,
    hint: `One is issued each minute. GET /api/v1/time/pulses/${newest} has the newest now.`,
  });
};
