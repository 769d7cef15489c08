import { dueUpstream, lookAtUpstreamAgain, type UpstreamPayment } from '../../db/x402/upstream.ts';
import { plus } from '../../domain/instant.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { pause } from '../kernel/x402/pause.ts';
import { endOpen, LOOK_AGAIN_SECONDS, OPEN_AT_ONCE_MAX } from './endOpen.ts';
import { fateOf, type Fate } from './lookup.ts';
import { endUpstream } from './upstream.ts';

/** Returns the state of payments that the hub made, by the chain and by nothing else. */
const LOOK_EVERY_MS = 250;

/** Looks until it has moved, or often enough; undefined while no node answers. */
export async function lookForUpstream(
  hub: Hub,
  payment: UpstreamPayment,
  looksMax: number,
): Promise<Fate | undefined> {
  const port = await hub.chains.port(payment.network);
  let fate: Fate | undefined;
  for (let look = 1; ; look += 1) {
    try {
      fate = await fateOf(port, payment);
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      hub.log.warn({ err: error, payment: payment.id }, 'the chain does not answer');
    }
    if (fate?.kind === 'moved' || look >= looksMax) return fate;
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Ends payments that a kill, a lost answer or a slow chain left open. An unused one is returned
 * once a final block is past its end, about 20 minutes later on Base.
 */
async function resolveUpstream(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const due = await hub.store.readOne((db) => dueUpstream(db, now, OPEN_AT_ONCE_MAX));
  const again = plus(now, LOOK_AGAIN_SECONDS);
  await endOpen(
    hub,
    due,
    async (payment) => {
      const fate = await fateOf(await hub.chains.port(payment.network), payment);
      await hub.store.write(async (tx) => {
        await endUpstream(tx, hub, payment.id, fate);
        await lookAtUpstreamAgain(tx, payment.id, again);
      });
    },
    ({ id }) => hub.store.write((tx) => lookAtUpstreamAgain(tx, id, again)),
  );
}

export const upstreamJob: Job = { name: 'x402Upstream', everySeconds: 5, run: resolveUpstream };
