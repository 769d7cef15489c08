import { need } from '../../db/batch/need.ts';
import { CALLS, readCall, staleCalls } from '../../db/router/calls.ts';
import { refreshUse } from '../../db/router/use.ts';
import { closed } from '../../domain/router/receipt.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { returnPrice } from './money.ts';

const CALLS_AT_ONCE_MAX = 100;
const STOPPED =
  'The hub stopped while the agent was being called, so its answer is not known. It may have run the request;';
const WHY = `${STOPPED} nothing was charged and what was held is back.`;
const WHY_PAID = `${STOPPED} what becomes of its payment on the chain is \`payment\`.`;

/**
 * Ends the calls that a stop of the hub cut off. No call lasts longer than 60 s, so one that is
 * still running after 90 s belongs to no process; whether its agent served cannot be known, and in
 * doubt the caller pays nothing. The row is locked, so it is never both returned and charged.
 */
async function resolveCalls(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const stale = await hub.store.readOne((db) => staleCalls(db, now, CALLS_AT_ONCE_MAX));
  for (const id of stale) {
    const named = { failure: 'ending a call failed', call: id };
    await apart(hub, named, () => resolve(hub, id));
  }
}

async function resolve(hub: Hub, id: string): Promise<void> {
  const known = await hub.store.readOne((db) => readCall(db, id));
  const why = known?.upstream === undefined ? WHY : WHY_PAID;
  await hub.store.decide({
    needs: [need(CALLS, id)],
    decide(db) {
      const running = db.find(CALLS, id);
      if (running?.outcome !== 'running') return;
      const returned = returnPrice(db, hub, running);
      db.put(CALLS, id, closed(returned, 'unknown', why, hub.clock.now()));
    },
  });
}

export const jobs: readonly Job[] = [
  { name: 'callResolve', everySeconds: 10, run: resolveCalls },
  {
    name: 'callUse',
    everySeconds: 300,
    run: (hub) => hub.store.write((tx) => refreshUse(tx, hub.clock.now())),
  },
];
