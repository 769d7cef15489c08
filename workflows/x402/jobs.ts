import {
  duePayments,
  endRefused,
  forgetRefused,
  lookAgain,
  type IncomingPayment,
} from '../../db/x402/payments.ts';
import { instant, plus, type Instant } from '../../domain/instant.ts';
import type { Hub } from '../kernel/hub.ts';
import { againIfFull, type Job } from '../kernel/job.ts';
import { creditPayment } from './credit.ts';
import { endOpen, LOOK_AGAIN_SECONDS, OPEN_AT_ONCE_MAX } from './endOpen.ts';
import { fateOf } from './lookup.ts';
import { finalAt } from './reserve.ts';
import { decline } from './settle.ts';
import { upstreamJob } from './upstreamFate.ts';

/** Refused ones are kept for those who ask why. */
const REFUSED_KEPT_MS = 86_400_000;
const FORGOTTEN_AT_ONCE_MAX = 500;
/** Watched payments of refused calls cost nothing to make, so they never delay the others. */
const DECLINED_AT_ONCE_MAX = 20;

/**
 * Ends payments that a kill, a lost answer or a slow chain left open, by the chain alone: moved
 * money is credited once, and a payment is refused when a final block past its end shows it unused.
 */
async function resolvePayments(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const due = await hub.store.read(async (db) => [
    ...(await duePayments(db, { now, isDeclined: false, limit: OPEN_AT_ONCE_MAX })),
    ...(await duePayments(db, { now, isDeclined: true, limit: DECLINED_AT_ONCE_MAX })),
  ]);
  await endOpen(
    hub,
    due,
    (payment) => resolve(hub, payment),
    (payment) => wait(hub, payment),
  );
}

async function resolve(hub: Hub, payment: IncomingPayment): Promise<void> {
  const { id, end, network, isFromBalance, declined } = payment;
  const at = hub.clock.now();
  if (end.state === 'reserved' && !isFromBalance && declined === undefined) {
    // Its request is gone, and a facilitator may have been asked.
    return decline(hub, payment, 'unexpected_verify_error');
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
      const over = fate.kind === 'lapsed' ? 'payment_expired' : 'invalid_transaction_state';
      const fault = declined ?? over;
      await hub.store.write((tx) => endRefused(tx, id, { fault, at }));
    }
  }
}

function wait(hub: Hub, payment: IncomingPayment): Promise<void> {
  const at = nextLook(payment, hub.clock.now());
  return hub.store.write((tx) => lookAgain(tx, payment.id, at));
}

/** A declined one is looked at as often again as it is old, and once its end is final. */
function nextLook({ at, authorization, declined }: IncomingPayment, now: Instant): Instant {
  const soon = plus(now, LOOK_AGAIN_SECONDS);
  if (declined === undefined) return soon;
  const doubled = instant(now + (now - at));
  return instant(Math.max(soon, Math.min(doubled, finalAt(authorization))));
}

async function forget(hub: Hub): Promise<number | undefined> {
  const before = instant(hub.clock.now() - REFUSED_KEPT_MS);
  const gone = await hub.store.write((tx) => forgetRefused(tx, before, FORGOTTEN_AT_ONCE_MAX));
  return againIfFull(gone, FORGOTTEN_AT_ONCE_MAX);
}

export const jobs: readonly Job[] = [
  { name: 'x402Resolve', everySeconds: 5, run: resolvePayments },
  upstreamJob,
  { name: 'x402Forget', everySeconds: 3_600, run: forget },
];
