import {
  findPayment,
  reservePayment,
  type IncomingPayment,
  type OpenPayment,
} from '../../db/x402/payments.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { instant, iso, plus, seconds, type Instant } from '../../domain/instant.ts';
import { canonical } from '../../domain/json.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import type { Authorization, Payment } from '../../domain/x402/payment.ts';
import type { Terms } from '../../domain/x402/terms.ts';
import type { Caller, RequestFacts } from '../kernel/call.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { walletAccount } from './credit.ts';
import { refusePayment, type Refusal } from './require.ts';

/** A payment that was not finished in this time is ended by the job. */
const ABANDONED_SECONDS = seconds(60);
/** After this much a final block is past the end of an authorization, and the job asks once. */
const FINAL_SECONDS = seconds(1_800);

export interface PaidCall {
  readonly operation: string;
  readonly caller: Caller;
  readonly header: { readonly 'x-payment'?: string; readonly 'payment-signature'?: string };
  readonly request: Pick<RequestFacts, 'wireBody'>;
}

export interface Reservation {
  readonly call: PaidCall;
  readonly terms: Terms;
  readonly account: Account;
  readonly payment: Payment;
  /** The balance of the wallet pays; the payment itself is never sent. */
  readonly isFromBalance?: boolean;
}

interface Kept {
  readonly payment: IncomingPayment;
  readonly isNew: boolean;
}

/** Stores the nonce before any other call: the second request finds the first one's row. */
export async function reserve(hub: Hub, asked: Reservation): Promise<Kept> {
  const { call, terms, payment } = asked;
  const { network, asset: token } = terms.rail;
  const { authorization } = payment;
  const fresh = openPayment(hub, asked, await headOf(hub, terms, authorization.from));
  return hub.act(call, async (tx) => {
    if (await reservePayment(tx, fresh)) return { payment: fresh, isNew: true };
    const first = await findPayment(tx, { network, token, authorization });
    if (first === undefined) throw new Error('an authorization that is known has its row');
    return { payment: first, isNew: false };
  });
}

function openPayment(
  hub: Hub,
  { call, terms, account, payment, isFromBalance = false }: Reservation,
  fromBlock: number,
): OpenPayment {
  const { network, asset: token } = terms.rail;
  const { authorization, signature, x402Version: version } = payment;
  const requestDigest = digestOf(call);
  const at = hub.clock.now();
  return {
    id: hub.ids.uuid(),
    network,
    token,
    version,
    authorization,
    signature,
    account,
    operation: call.operation,
    ...defined({ requestDigest }),
    isFromBalance,
    fromBlock,
    at,
    checkAt: isFromBalance ? finalAt(authorization) : plus(at, ABANDONED_SECONDS),
    end: { state: 'reserved' },
  };
}

/** When a final block is past the end of an authorization. */
export function finalAt({ validBefore }: Pick<Authorization, 'validBefore'>): Instant {
  return plus(instant(Number(validBefore) * 1_000), FINAL_SECONDS);
}

async function headOf(hub: Hub, terms: Terms, payer: EvmAddress): Promise<number> {
  try {
    return (await (await hub.chains.port(terms.rail.network)).head()).number;
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    const why = 'no node of the chain answers now; nothing was taken, send the same call again';
    return refusePayment({ fault: 'unexpected_verify_error', why, payer }, terms);
  }
}

/** The digest of a once-only request: the same payment may come with it again. */
function digestOf({ operation, request }: PaidCall): string | undefined {
  const body = request.wireBody;
  const isOnce = typeof body === 'object' && body !== null && 'idempotencyKey' in body;
  return isOnce ? sha256Hex(canonical({ operation, body })) : undefined;
}

/** The hint of a refusal whose payment can still be sent by others who saw it. */
export function ifItMoves({ account, authorization }: IncomingPayment): { readonly hint: string } {
  const end = iso(instant(Number(authorization.validBefore) * 1_000));
  return {
    hint: `Make a fresh payment and send the call again. If this one moves money before it ends at ${end}, that is credited to ${account}.`,
  };
}

/** A payment that came before: the same once-only request goes on with it, any other is refused. */
export function again(first: IncomingPayment, call: PaidCall): IncomingPayment | Refusal {
  const requestDigest = digestOf(call);
  // A visitor is the wallet itself; an account of a key asks for that key's signature.
  const theirs =
    call.caller.kind === 'visitor' ? walletAccount(first.authorization.from) : call.caller.account;
  const isSame =
    first.account === theirs &&
    requestDigest !== undefined &&
    first.requestDigest === requestDigest;
  const fault = 'invalid_exact_evm_nonce_already_used';
  if (first.isFromBalance) {
    if (isSame) return first;
    const why = `its nonce was used before, to pay from the balance of ${first.account}`;
    return { fault, why, hint: 'Make a fresh payment; the former one is never settled.' };
  }
  switch (first.end.state) {
    case 'settled':
      if (isSame) return first;
      return {
        fault,
        why: `its nonce was used before, and the money is in ${first.account}`,
        hint: 'Send the call without a payment header to pay from the balance, or make a fresh payment.',
      };
    case 'refused':
      return { fault, why: `its nonce was used before, and refused: ${first.end.fault}` };
    case 'reserved':
    case 'settling':
      if (first.declined !== undefined) {
        const why = `its nonce was used before, and refused: ${first.declined}`;
        return { fault, why, ...ifItMoves(first) };
      }
      return {
        fault,
        why: 'it came before and is being settled',
        hint: 'Make no other payment. With the same idempotencyKey send the same call again in a few seconds; the money is credited once.',
      };
  }
}
