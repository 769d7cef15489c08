import { payoutAddressOf } from '../../db/rails/payoutAddresses.ts';
import { findPayment, type IncomingPayment } from '../../db/x402/payments.ts';
import type { Account } from '../../domain/account.ts';
import { ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { judgePayment } from '../../domain/x402/judge.ts';
import { readPayment, type Payment } from '../../domain/x402/payment.ts';
import { receiptHeaders } from '../../domain/x402/receipt.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Terms } from '../../domain/x402/terms.ts';
import type { Caller } from '../../server/hub/call.ts';
import { HubError, refuse } from '../../server/hub/errors.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { walletIsTended } from '../rails/leases.ts';
import { walletAccount } from './credit.ts';
import { isCovered, lackOf, meansOf, payFromBalance } from './fromBalance.ts';
import { railOf } from './rail.ts';
import { refusePayment, termsOf, type Price, type Refusal } from './require.ts';
import { again, openPayment, reserve, type PaidCall, type Reservation } from './reserve.ts';
import { isLocal, settlePayment } from './settle.ts';

/**
 * A payment at the door (choices router.x402). It is judged, its nonce is kept, it settles on the
 * chain, the ledger is credited; then the caller's own work runs, paid from the balance. Whatever
 * stops on the way, a job ends it by what the chain says.
 */
export interface AcceptedPayment {
  /** Whose balance it is in: the signer's, or that of the paying wallet. */
  readonly account: Account;
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Atomic units that the account can spend when it is asked. */
  balance(): Promise<bigint>;
}

/** Whether the request brings money along. */
export function bringsPayment({ header }: Pick<PaidCall, 'header'>): boolean {
  return header['x-payment'] !== undefined || header['payment-signature'] !== undefined;
}

/**
 * Takes the payment that came with a call, of at least what the balance lacks of `price`; undefined
 * when none came. Refuses with 402 in x402's own words, and then nothing moved, unless the refusal
 * says that it settles.
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
  if (first !== undefined) return continued(hub, first, call, terms);
  // Its amount is judged when it is known whose balance it adds to.
  const anyAmount = { ...terms, amount: ZERO };
  const judged =
    judgePayment(read, anyAmount, hub.clock.now()) ?? (await judgeSigner(hub, read, terms));
  if (judged !== undefined) return refusePayment({ ...judged, payer }, terms);
  const account = await accountOf(hub, call.caller, payer, terms);
  const paid = { call, account, payment: read };
  const means = await meansOf(hub, price.network, account, walletAccount(payer));
  if (isCovered(price.amount, means, call.caller)) return covered(hub, { ...paid, terms });
  const lack = termsOf(hub, rail, { ...price, amount: lackOf(price.amount, means) });
  const short = judgePayment(read, lack, hub.clock.now());
  if (short !== undefined) {
    return refusePayment({ ...short, payer, balance: means.account + means.left }, lack);
  }
  await mustBeTended(hub, price.network);
  return settledNow(hub, { ...paid, terms: lack });
}

async function settledNow(hub: Hub, asked: Reservation): Promise<AcceptedPayment> {
  const { call, terms, account, payment } = asked;
  const kept = await reserve(hub, asked);
  if (!kept.isNew) return continued(hub, kept.payment, call, terms);
  const settled = await settlePayment(hub, kept.payment, { payment, terms });
  const { from: payer } = payment.authorization;
  if (!('end' in settled)) return refusePayment({ ...settled, payer }, terms);
  return accepted(hub, account, terms, receiptOf(settled, terms));
}

/** What earlier payments left pays the call; this one shows whose it is, and is never settled. */
async function covered(hub: Hub, asked: Reservation): Promise<AcceptedPayment> {
  const { call, terms, account } = asked;
  const fresh = openPayment(hub, asked, 0);
  if (await payFromBalance(hub, call, fresh)) return accepted(hub, account, terms, {});
  const first = await hub.store.read((db) => findPayment(db, fresh));
  if (first === undefined) throw new Error('an authorization that is known has its row');
  return continued(hub, first, call, terms);
}

function accepted(
  hub: Hub,
  account: Account,
  { rail: { network } }: Terms,
  headers: AcceptedPayment['headers'],
): AcceptedPayment {
  const balance = async (): Promise<bigint> =>
    (await meansOf(hub, network, account, account)).account;
  return { account, headers, balance };
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

function continued(
  hub: Hub,
  first: IncomingPayment,
  call: PaidCall,
  terms: Terms,
): AcceptedPayment {
  const settled = again(first, call);
  const { from: payer } = first.authorization;
  if (!('end' in settled)) return refusePayment({ ...settled, payer }, terms);
  const receipt = settled.end.state === 'settled' ? receiptOf(settled, terms) : {};
  return accepted(hub, settled.account, terms, receipt);
}

/**
 * Runs what was paid for. How the payment settled and what the account has left is part of every
 * answer, refusals too.
 */
export async function withReceipt<
  T extends { readonly headers?: Readonly<Record<string, string>> },
>(accepted: AcceptedPayment | undefined, work: () => Promise<T>): Promise<T> {
  if (accepted === undefined) return work();
  const paid = async () => ({
    ...accepted.headers,
    'x-payment-balance': `${await accepted.balance()}`,
  });
  try {
    const reply = await work();
    return { ...reply, headers: { ...reply.headers, ...(await paid()) } };
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown;
    throw new HubError(thrown.code, thrown.detail, { ...thrown.headers, ...(await paid()) });
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

function receiptOf({ end, authorization }: IncomingPayment, { rail }: Terms) {
  if (end.state !== 'settled') throw new Error('only a settled payment has a receipt');
  const { from: payer, value } = authorization;
  return receiptHeaders({ rail, payer, transaction: end.transaction, amount: `${value}` });
}
