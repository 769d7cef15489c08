import type { UpstreamPayment } from '../../db/x402/upstream.ts';
import { ZERO } from '../../domain/money.ts';
import { afterQuote, type Ending } from '../../domain/router/ending.ts';
import type { UpstreamReceipt } from '../../domain/router/receipt.ts';
import { envelope } from '../../domain/x402/envelope.ts';
import { paymentHeader, paymentPayload } from '../../domain/x402/way.ts';
import type { Hub, PaymentAlong } from '../kernel/hub.ts';
import type { Fate } from '../x402/lookup.ts';
import { signUpstream, type NotPaid, type SignedUpstream } from '../x402/upstream.ts';
import { lookForUpstream } from '../x402/upstreamFate.ts';
import type { CallUnderWay } from './begin.ts';

/** An agent that takes no credit of the hub, paid on the chain (choices router.upstream). */
export type OnChain = (SignedUpstream & { readonly along: PaymentAlong }) | NotPaid;

/** How often the chain is asked after an answer, since sellers settle before they answer. */
const LOOKS_SERVED = 20;
const LOOKS_OTHERWISE = 2;

/** The chain's part in the end of a turn, read before its transaction. */
export interface ChainPart {
  /** Signed for the next turn. */
  readonly offer?: OnChain;
  /** The state of the payment of this turn. */
  readonly fate?: Fate | undefined;
}

export async function chainPart(
  hub: Hub,
  underWay: CallUnderWay,
  ending: Ending,
): Promise<ChainPart> {
  const { upstream, receipt, candidate, credit, retried } = underWay;
  if (upstream !== undefined) {
    const looks = ending.end === 'served' ? LOOKS_SERVED : LOOKS_OTHERWISE;
    return { fate: await lookForUpstream(hub, upstream.payment, looks) };
  }
  if (ending.end !== 'quoted' || ending.way === undefined) return {};
  const { way, price } = ending;
  const sofar = { held: receipt.hold?.amount ?? ZERO, offered: credit !== undefined, retried };
  const after = afterQuote(price, candidate, receipt, sofar);
  if (!('mayPay' in after)) return {};
  const signed = await signUpstream(hub, receipt.network, way);
  if ('why' in signed) return { offer: signed };
  const payload = paymentPayload(way, signed.authorization, signed.signature);
  const along: PaymentAlong =
    way.place === 'meta'
      ? { place: 'meta', payload }
      : { place: 'header', name: paymentHeader(way), value: envelope(payload) };
  return { offer: { ...signed, along } };
}

export function upstreamReceipt({ authorization, end }: UpstreamPayment): UpstreamReceipt {
  const { value: amount, to: payTo } = authorization;
  if (end.state !== 'settled') return { amount, payTo, state: end.state };
  const { state, transaction, transferId } = end;
  return { amount, payTo, state, transaction, transferId };
}
