import { payoutAddressOf } from '../../db/rails/payoutAddresses.ts';
import {
  findPayment,
  reservePayment,
  type IncomingPayment,
  type OpenPayment,
} from '../../db/x402/payments.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { canonical } from '../../domain/json.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { judgePayment } from '../../domain/x402/judge.ts';
import { readPayment, type Payment } from '../../domain/x402/payment.ts';
import { receiptHeaders } from '../../domain/x402/receipt.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Terms } from '../../domain/x402/terms.ts';
import type { Caller, RequestFacts } from '../../server/hub/call.ts';
import { ChainUnavailable } from '../../server/hub/chain/port.ts';
import { HubError, refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { walletIsTended } from '../rails/leases.ts';
import { walletAccount } from './credit.ts';
import { railOf } from './rail.ts';
import { refusePayment, termsOf, type Price, type Refusal } from './require.ts';
import { isLocal, settlePayment } from './settle.ts';

/**
 * A payment at the door (choices router.x402). It is judged, its nonce is kept, it settles on the
 * chain, the ledger is credited; then the caller's own work runs, paid from the balance. Whatever
 * stops on the way, a job ends it by what the chain says.
 */
export interface PaidCall {
  readonly operation: string;
  readonly caller: Caller;
  readonly header: { readonly 'x-payment'?: string; readonly 'payment-signature'?: string };
  readonly request: Pick<RequestFacts, 'wireBody'>;
}

export interface AcceptedPayment {
  /** Whose balance it is in: the signer's, or that of the paying wallet. */
  readonly account: Account;
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A payment that nobody finished in this time is ended by the job. */
export const ABANDONED_SECONDS = seconds(60);

/** Whether the request brings money along. */
export function bringsPayment({ header }: Pick<PaidCall, 'header'>): boolean {
  return header['x-payment'] !== undefined || header['payment-signature'] !== undefined;
}

/**
 * Takes the payment that came with a call, of at least `price`; undefined when none came. Refuses
 * with 402 in x402's own words, and then nothing moved, unless the refusal says that it settles.
 */
export async function acceptPayment(
  hub: Hub,
  call: PaidCall,
  price: Price,
): Promise<AcceptedPayment | undefined> {
  const { header } = call;
  const read = readPayment({ v1: header['x-payment'], v2: header['payment-signature'] });
  if (read === undefined) return undefined;
  const rail = await railOf(hub, price.network);
  if (rail === undefined) return refuseAll(price);
  const terms = termsOf(hub, rail, price);
  if ('fault' in read) return refusePayment(read, terms);
  const { from: payer } = read.authorization;
  const first = await sameBefore(hub, rail, read);
  if (first !== undefined) return continued(first, call, terms);
  const judged =
    judgePayment(read, terms, hub.clock.now()) ?? (await judgeSigner(hub, read, terms));
  if (judged !== undefined) return refusePayment({ ...judged, payer }, terms);
  const account = await accountOf(hub, call.caller, payer, terms);
  await mustBeTended(hub, price.network);
  const kept = await reserve(hub, { call, terms, account, payment: read });
  if (!kept.isNew) return continued(kept.payment, call, terms);
  const settled = await settlePayment(hub, kept.payment, { payment: read, terms });
  if (!('end' in settled)) return refusePayment({ ...settled, payer }, terms);
  return { account, headers: receiptOf(settled, terms) };
}

/** The very same payment, when it came before; by now it may be over and say nothing any more. */
async function sameBefore(
  hub: Hub,
  { network, asset: token }: Rail,
  { authorization, signature }: Payment,
): Promise<IncomingPayment | undefined> {
  const known = await hub.store.read((db) => findPayment(db, { network, token, authorization }));
  return known?.signature === signature ? known : undefined;
}

function continued(first: IncomingPayment, call: PaidCall, terms: Terms): AcceptedPayment {
  const settled = again(first, call);
  const { from: payer } = first.authorization;
  if (!('end' in settled)) return refusePayment({ ...settled, payer }, terms);
  return { account: settled.account, headers: receiptOf(settled, terms) };
}

/** Runs what was paid for; how the payment settled is part of every answer, refusals too. */
export async function withReceipt<
  T extends { readonly headers?: Readonly<Record<string, string>> },
>(accepted: AcceptedPayment | undefined, work: () => Promise<T>): Promise<T> {
  if (accepted === undefined) return work();
  try {
    const reply = await work();
    return { ...reply, headers: { ...reply.headers, ...accepted.headers } };
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown;
    throw new HubError(thrown.code, thrown.detail, { ...thrown.headers, ...accepted.headers });
  }
}

function refuseAll({ network }: Price): never {
  const refusal = {
    fault: 'invalid_network',
    why: `this hub takes no payments over x402 on ${network}; nothing was charged`,
    hint: 'Send the call without a payment header; it is paid from the balance of the account.',
  };
  return refusePayment(refusal, undefined);
}

/** Without a process that sends transactions, a payment would be taken and answered much later. */
async function mustBeTended(hub: Hub, network: NetworkId): Promise<void> {
  if (!isLocal(hub) || (await walletIsTended(hub, network))) return;
  const retryAfterSeconds = 5;
  refuse(
    'busy',
    {
      error: 'No process of the hub settles payments at this moment. Nothing was taken.',
      hint: 'Send the same call with the same payment again after `retryAfterSeconds`, with a fresh signature nonce.',
      retryAfterSeconds,
    },
    { 'retry-after': `${retryAfterSeconds}`, 'cache-control': 'no-store' },
  );
}

async function judgeSigner(
  { paymentSignatures }: Hub,
  { authorization, signature }: Payment,
  { rail }: Terms,
): Promise<Refusal | undefined> {
  const signer = await paymentSignatures.signerOf(rail, authorization, signature);
  if (signer === authorization.from) return undefined;
  const why = `it is not signed by ${authorization.from}, from whose wallet it pays`;
  return { fault: 'invalid_exact_evm_payload_signature', why };
}

/** Who is credited: a signer whose registered address pays, or the paying wallet itself. */
async function accountOf(
  hub: Hub,
  caller: Caller,
  payer: EvmAddress,
  terms: Terms,
): Promise<Account> {
  if (caller.kind === 'visitor') return walletAccount(payer);
  const { account } = caller;
  const { network } = terms.rail;
  const registered = await hub.store.read((db) => payoutAddressOf(db, account, network));
  if (registered?.address === payer) return account;
  const why =
    registered === undefined
      ? `it is signed by ${payer}, and ${account} has no payout address on ${network}`
      : `it is signed by ${payer}, and the payout address of ${account} is ${registered.address}`;
  const hint = `POST /api/v1/wallet/${account}/payout-address {"address": "${payer}", "network": "${network}"} registers the wallet that may pay for you.`;
  return refusePayment({ fault: 'invalid_payment', why, payer, hint }, terms);
}

interface Reservation {
  readonly call: PaidCall;
  readonly terms: Terms;
  readonly account: Account;
  readonly payment: Payment;
}

interface Kept {
  readonly payment: IncomingPayment;
  readonly isNew: boolean;
}

/** Keeps the nonce before anybody is asked anything: the second one finds the first one's row. */
async function reserve(hub: Hub, { call, terms, account, payment }: Reservation): Promise<Kept> {
  const { network, asset: token } = terms.rail;
  const { authorization, signature, x402Version: version } = payment;
  const requestDigest = digestOf(call);
  const fromBlock = await headOf(hub, terms, authorization.from);
  const at = hub.clock.now();
  const fresh: OpenPayment = {
    id: hub.ids.uuid(),
    network,
    token,
    version,
    authorization,
    signature,
    account,
    operation: call.operation,
    ...defined({ requestDigest }),
    fromBlock,
    at,
    checkAt: plus(at, ABANDONED_SECONDS),
    end: { state: 'reserved' },
  };
  return hub.act(call, async (tx) => {
    if (await reservePayment(tx, fresh)) return { payment: fresh, isNew: true };
    const first = await findPayment(tx, { network, token, authorization });
    if (first === undefined) throw new Error('an authorization that is known has its row');
    return { payment: first, isNew: false };
  });
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

/** Of a once-only request: the same payment may come with the same request again. */
function digestOf({ operation, request }: PaidCall): string | undefined {
  const body = request.wireBody;
  const isOnce = typeof body === 'object' && body !== null && 'idempotencyKey' in body;
  return isOnce ? sha256Hex(canonical({ operation, body })) : undefined;
}

/** A payment that came before: the same once-only request goes on with it, any other is refused. */
function again(first: IncomingPayment, call: PaidCall): IncomingPayment | Refusal {
  const requestDigest = digestOf(call);
  // A visitor is the wallet itself; an account of a key asks for that key's signature.
  const theirs =
    call.caller.kind === 'visitor' ? walletAccount(first.authorization.from) : call.caller.account;
  const isSame =
    first.account === theirs &&
    requestDigest !== undefined &&
    first.requestDigest === requestDigest;
  const fault = 'invalid_exact_evm_nonce_already_used';
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
      return {
        fault,
        why: 'it came before and is being settled',
        hint: 'Make no other payment. With the same idempotencyKey send the same call again in a few seconds; the money is credited once.',
      };
  }
}

function receiptOf({ end, authorization }: IncomingPayment, { rail }: Terms) {
  if (end.state !== 'settled') throw new Error('only a settled payment has a receipt');
  const { from: payer, value } = authorization;
  return receiptHeaders({ rail, payer, transaction: end.transaction, amount: `${value}` });
}
