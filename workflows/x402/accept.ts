import { balance } from '../../db/ledger/balances.ts';
import { payoutAddressOf } from '../../db/rails/payoutAddresses.ts';
import { findPayment, type IncomingPayment } from '../../db/x402/payments.ts';
import type { Account } from '../../domain/account.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import type { EvmAddress } from '../../domain/rails/evm.ts';
import { judgePayment } from '../../domain/x402/judge.ts';
import { readPayment, type Payment } from '../../domain/x402/payment.ts';
import { receiptHeaders } from '../../domain/x402/receipt.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Terms } from '../../domain/x402/terms.ts';
import type { Caller } from '../kernel/call.ts';
import { HubError, refuse } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { walletIsTended } from '../rails/leases.ts';
import { topUpOf, walletAccount } from './credit.ts';
import { railOf } from './rail.ts';
import { wouldHold, type RehearseCall } from './rehearse.ts';
import { refusePayment, termsOf, type Price, type Refusal } from './require.ts';
import { again, reserve, type PaidCall, type Reservation } from './reserve.ts';
import { isLocal, settlePayment } from './settle.ts';

/**
 * A payment at the door (choices router.x402): it is judged, the call is rehearsed, the nonce is
 * stored, the payment settles on the chain and the ledger credits it. Then the caller's own work
 * runs, paid from the balance. A job ends whatever stops midway, by the state of the chain.
 */
export interface AcceptedPayment {
  /** Whose balance it is in: the signer's, or that of the paying wallet. */
  readonly account: Account;
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** Atomic units that the account can spend when it is asked. */
  balance(): Promise<bigint>;
}

export function bringsPayment({ header }: Pick<PaidCall, 'header'>): boolean {
  return header['x-payment'] !== undefined || header['payment-signature'] !== undefined;
}

/**
 * Takes the payment that came with a call, of at least `price`; undefined when none came, or when a
 * signer's call holds no money. Refuses with 402 in x402's own words, or as `rehearse` does, and
 * then nothing moved, unless the refusal says that it settles.
 */
export async function acceptPayment(
  hub: Hub,
  call: PaidCall,
  price: Price,
  rehearse: RehearseCall,
): Promise<AcceptedPayment | undefined> {
  const { header } = call;
  const read = readPayment({ v1: header['x-payment'], v2: header['payment-signature'] });
  if (read === undefined) return undefined;
  const rail = await railOf(hub, price.network);
  if (rail === undefined) return refuseAll(price);
  const terms = termsOf(hub, rail, price);
  if ('fault' in read) return refusePayment(read, terms);
  const { from: payer } = read.authorization;
  if (call.caller.kind === 'visitor') mustNotBeBanned(hub, payer, terms);
  const first = await sameBefore(hub, rail, read);
  if (first !== undefined) return continued(hub, first, call, terms);
  const judged =
    judgePayment(read, terms, hub.clock.now()) ?? (await judgeSigner(hub, read, terms));
  if (judged !== undefined) return refusePayment({ ...judged, payer }, terms);
  const account = await accountOf(hub, call.caller, payer, terms);
  const asked = { call, terms, account, payment: read };
  const isCovering = await isCovered(hub, asked, price.amount);
  const { authorization } = read;
  const topUp = isCovering ? undefined : topUpOf({ ...price, account, authorization });
  const isHeld = await wouldHold(hub, rehearse, account, topUp);
  if (!isHeld && call.caller.kind !== 'visitor') return undefined;
  // The payment of a wallet whose call holds no money proves the wallet and is not sent.
  const isFromBalance = isCovering || !isHeld;
  if (!isFromBalance) await mustBeTended(hub, price.network);
  const kept = await reserve(hub, { ...asked, isFromBalance });
  if (!kept.isNew) return continued(hub, kept.payment, call, terms);
  if (isFromBalance) return accepted(hub, kept.payment, terms);
  const settled = await settlePayment(hub, kept.payment, { payment: read, terms });
  if (!('end' in settled)) return refusePayment({ ...settled, payer }, terms);
  return accepted(hub, settled, terms);
}

/** A wallet that pays without a key is its own account, which an operator may ban. */
function mustNotBeBanned({ moderation }: Hub, payer: EvmAddress, terms: Terms): void {
  const ban = moderation.against(walletAccount(payer));
  if (ban === undefined) return;
  const why = `the operator of this hub banned the wallet ${payer} (decision ${ban.id})`;
  refusePayment({ fault: 'invalid_payment', why, payer }, terms);
}

/**
 * Whether what the wallet has left here pays the call. Then its payment is not settled: the signature
 * says that the wallet parts with this much, and is used for it once.
 */
async function isCovered(
  hub: Hub,
  { call, account, terms }: Reservation,
  due: bigint,
): Promise<boolean> {
  if (call.caller.kind !== 'visitor') return false;
  return (await spendableOf(hub, account, terms.rail.network)) >= due;
}

async function spendableOf(hub: Hub, account: Account, network: NetworkId): Promise<bigint> {
  const place = { network, asset: ASSET };
  return (await hub.store.readOne((db) => balance(db, account, place))).spendable;
}

function accepted(hub: Hub, payment: IncomingPayment, { rail }: Terms): AcceptedPayment {
  const { account, authorization, end } = payment;
  const { from: payer, value } = authorization;
  const headers =
    end.state === 'settled'
      ? receiptHeaders({ rail, payer, transaction: end.transaction, amount: `${value}` })
      : {};
  return { account, headers, balance: () => spendableOf(hub, account, rail.network) };
}

/** The very same payment, when it came before; by now it may be over and say nothing any more. */
async function sameBefore(
  hub: Hub,
  { network, asset: token }: Rail,
  { authorization, signature }: Payment,
): Promise<IncomingPayment | undefined> {
  const known = await hub.store.readOne((db) => findPayment(db, { network, token, authorization }));
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
  return accepted(hub, settled, terms);
}

/** Runs what was paid for; every answer and refusal has the settlement and the balance left. */
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
    throw thrown.with({ headers: { ...thrown.headers, ...(await paid()) } });
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

/** Returns the account to credit: the signer that registered the paying address, else the wallet. */
async function accountOf(
  hub: Hub,
  caller: Caller,
  payer: EvmAddress,
  terms: Terms,
): Promise<Account> {
  if (caller.kind === 'visitor') return walletAccount(payer);
  const { account } = caller;
  const { network } = terms.rail;
  const registered = await hub.store.readOne((db) => payoutAddressOf(db, account, network));
  if (registered?.address === payer) return account;
  const why =
    registered === undefined
      ? `it is signed by ${payer}, and ${account} has no payout address on ${network}`
      : `it is signed by ${payer}, and the payout address of ${account} is ${registered.address}`;
  const hint = `POST /api/v1/wallet/${account}/payout-address {"address": "${payer}", "network": "${network}"} registers the wallet that may pay for you.`;
  return refusePayment({ fault: 'invalid_payment', why, payer, hint }, terms);
}
