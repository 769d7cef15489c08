import {
  duePayments,
  endRefused,
  forgetRefused,
  lookAgain,
  type IncomingPayment,
} from '../../db/x402/payments.ts';
import { instant, plus } from '../../domain/instant.ts';
import type { Hub } from '../../server/hub/hub.ts';
import type { Job } from '../../server/hub/job.ts';
import { creditPayment } from './credit.ts';
import { endOpen, LOOK_AGAIN_SECONDS, OPEN_AT_ONCE_MAX } from './endOpen.ts';
import { fateOf } from './lookup.ts';
import { upstreamJob } from './upstreamFate.ts';

/** Refused ones are kept for those who ask why. */
const REFUSED_KEPT_MS = 86_400_000;
const FORGOTTEN_AT_ONCE_MAX = 500;

/**
 * Ends payments that a kill, a lost answer or a slow chain left open, by the chain alone: moved
 * money is credited once, and a payment is refused when a final block past its end shows it unused.
 */
async function resolvePayments(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const due = await hub.store.readOne((db) => duePayments(db, now, OPEN_AT_ONCE_MAX));
  await endOpen(
    hub,
    due,
    (payment) => resolve(hub, payment),
    (payment) => wait(hub, payment),
  );
}

async function resolve(hub: Hub, payment: IncomingPayment): Promise<void> {
  const { id, end, network, isFromBalance } = payment;
  const at = hub.clock.now();
  if (end.state === 'reserved' && !isFromBalance) {
    // Nothing was sent for it, and its request is gone.
    const fault = 'unexpected_verify_error';
    await hub.store.write((tx) => endRefused(tx, id, { fault, at }));
    return;
  }
  const fate = await fateOf(await hub.chains.port(network), payment);
  switch (fate.kind) {
    case 'moved':
      await hub.store.write((tx) => creditPayment(tx, hub, id, fate.transaction));
      hub.log.info({ payment: id, account: payment.account }, 'credited a payment late');
      return;
    case 'open':
      return wait(hub, payment);
    case 'lapsed':
    case 'cancelled': {
      const fault = fate.kind === 'lapsed' ? 'payment_expired' : 'invalid_transaction_state';
      await hub.store.write((tx) => endRefused(tx, id, { fault, at }));
    }
  }
}

function wait(hub: Hub, { id }: IncomingPayment): Promise<void> {
  const at = plus(hub.clock.now(), LOOK_AGAIN_SECONDS);
  return hub.store.write((tx) => lookAgain(tx, id, at));
}

async function forget(hub: Hub): Promise<void> {
  const before = instant(hub.clock.now() - REFUSED_KEPT_MS);
  await hub.store.write((tx) => forgetRefused(tx, before, FORGOTTEN_AT_ONCE_MAX));
}

export const jobs: readonly Job[] = [
  { name: 'x402Resolve', everySeconds: 5, run: resolvePayments },
  upstreamJob,
  { name: 'x402Forget', everySeconds: 3_600, run: forget },
];
