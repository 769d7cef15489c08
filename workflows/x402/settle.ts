import {
  beginSettling,
  declinePayment,
  findPayment,
  type IncomingPayment,
} from '../../db/x402/payments.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import type { Payment } from '../../domain/x402/payment.ts';
import type { Terms } from '../../domain/x402/terms.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { askFacilitator } from '../kernel/x402/facilitator.ts';
import { pause } from '../kernel/x402/pause.ts';
import { creditPayment } from './credit.ts';
import { driveWallets, enqueueSettlement, verifyLocally, wasDropped } from './local.ts';
import { fateOf, type Fate } from './lookup.ts';
import type { Refusal } from './require.ts';
import { ifItMoves } from './reserve.ts';

/** How long a request waits for the chain; the job goes on after it. */
const LOOKS_MAX = 20;
const LOOK_EVERY_MS = 500;
/** When the job looks after a payment whose request may still wait. */
const CHECK_SECONDS = seconds(45);

export interface Paid {
  readonly payment: Payment;
  readonly terms: Terms;
}

/**
 * Verifies, settles and credits: each step is recorded before the next. Only the token's own event
 * settles a payment, never a statement of a third party.
 */
export async function settlePayment(
  hub: Hub,
  kept: IncomingPayment,
  paid: Paid,
): Promise<IncomingPayment | Refusal> {
  const fault = await verify(hub, kept, paid);
  if (fault !== undefined) {
    await decline(hub, kept, fault.fault);
    return { ...fault, ...ifItMoves(kept) };
  }
  const begun = await hub.store.write(async (tx) => {
    const mayGo = await beginSettling(tx, kept.id, plus(hub.clock.now(), CHECK_SECONDS));
    if (mayGo && isLocal(hub)) await enqueueSettlement(tx, hub, kept);
    return mayGo;
  });
  if (!begun) {
    const why = 'the hub took too long; nothing was taken';
    return { fault: 'payment_expired', why, ...ifItMoves(kept) };
  }
  const declined = await settle(hub, paid);
  const fate = await lookFor(hub, kept, declined === undefined ? LOOKS_MAX : 1);
  if (fate?.kind === 'moved') return concluded(hub, kept, fate.transaction);
  if (declined !== undefined) return declined;
  return {
    fault: 'unexpected_settle_error',
    why: 'it was sent and is not settled yet',
    hint: 'Make no other payment. The money is credited once the chain shows it; then send the same call again with the same idempotencyKey, or without the payment header.',
  };
}

/** Whether the hub settles payments itself, by its hot wallet. */
export function isLocal({ settings }: Hub): boolean {
  return settings.x402Facilitator === 'local';
}

async function verify(
  hub: Hub,
  kept: IncomingPayment,
  { payment, terms }: Paid,
): Promise<Refusal | undefined> {
  if (isLocal(hub)) return verifyLocally(hub, kept);
  const { x402Facilitator: base = '' } = hub.settings;
  const answer = await askFacilitator(hub.outbound, base, 'verify', payment, terms);
  if (answer.kind === 'yes') return undefined;
  if (answer.kind === 'no') return answer;
  return { fault: 'unexpected_verify_error', why: `nothing was taken; ${answer.why}` };
}

/**
 * Has it settled. A facilitator that declines says why, and is not believed: the row stays open
 * until the chain shows that the authorization moved money or can move none any more.
 */
async function settle(hub: Hub, { payment, terms }: Paid): Promise<Refusal | undefined> {
  if (isLocal(hub)) return undefined;
  const { x402Facilitator: base = '' } = hub.settings;
  const answer = await askFacilitator(hub.outbound, base, 'settle', payment, terms);
  return answer.kind === 'no' ? answer : undefined;
}

/**
 * Refuses the call and goes on watching the payment: a facilitator has the authorization and can
 * send it until its end, whatever it answered, and so can everybody else who saw it.
 */
export async function decline(hub: Hub, { id }: IncomingPayment, fault: string): Promise<void> {
  const checkAt = plus(hub.clock.now(), CHECK_SECONDS);
  await hub.store.write((tx) => declinePayment(tx, id, { fault, checkAt }));
}

/** Looks until the money has moved; undefined while no node answers. */
async function lookFor(
  hub: Hub,
  kept: IncomingPayment,
  looksMax: number,
): Promise<Fate | undefined> {
  const port = await hub.chains.port(kept.network);
  let fate: Fate | undefined;
  for (let look = 1; ; look += 1) {
    try {
      if (isLocal(hub)) await driveWallets(hub);
      fate = await fateOf(port, kept);
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      hub.log.warn({ err: error, payment: kept.id }, 'the chain does not answer');
    }
    if (fate?.kind === 'moved' || look >= looksMax) return fate;
    if (isLocal(hub) && (await wasDropped(hub, kept))) return fate;
    await pause(LOOK_EVERY_MS);
  }
}

/** Credits it here, or finds that the job has. */
async function concluded(
  hub: Hub,
  kept: IncomingPayment,
  transaction: ChainHash,
): Promise<IncomingPayment> {
  const credited = await hub.store.write((tx) => creditPayment(tx, hub, kept.id, transaction));
  const payment = credited ?? (await hub.store.readOne((db) => findPayment(db, kept)));
  if (payment?.end.state === 'settled') return payment;
  throw new Error(`payment ${kept.id} moved money and was ended otherwise`);
}
