import { readBacking, leaving } from '../../db/rails/backing.ts';
import { hadReversal } from '../../db/rails/deposits.ts';
import {
  countIntoDay,
  countOutOfDay,
  endUpstreamRow,
  insertUpstream,
  lockUpstream,
  type OpenUpstream,
  type UpstreamPayment,
} from '../../db/x402/upstream.ts';
import type { Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Hex } from '../../domain/rails/evm.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Authorization } from '../../domain/x402/payment.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import { authorizationFor, type WayToPay } from '../../domain/x402/way.ts';
import { ChainUnavailable } from '../kernel/chain/port.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustStay } from '../rails/reverse.ts';
import { mustTransfer, transfer } from '../wallet/transfer.ts';
import type { Fate } from './lookup.ts';
import { chainRailOf } from './rail.ts';

/**
 * Payments over x402 for the hub's callers (choices router.upstream): signed by the hot wallet,
 * held and on record before they are sent, ended by the chain alone.
 */
export interface SignedUpstream {
  readonly rail: Rail;
  readonly way: WayToPay;
  readonly authorization: Authorization;
  readonly signature: Hex;
  readonly fromBlock: number;
}

/** Why nothing is paid, as a part of a sentence. */
export interface NotPaid {
  readonly why: string;
}

/** When the job looks after one whose call may still wait. */
const CHECK_SECONDS = seconds(75);
const NONCE_BYTES = 32;
const REF = 'x402.upstream';

/** Signs a payment that is not sent yet; nothing is held, and nothing may be sent before it is. */
export async function signUpstream(
  hub: Hub,
  network: NetworkId,
  way: WayToPay,
): Promise<SignedUpstream | NotPaid> {
  const ceilings = hub.settings.x402PayUpstream;
  if (ceilings === undefined) return { why: 'the hub makes no payments outside of it' };
  const { callMax } = ceilings;
  if (way.amount > callMax) return { why: `the hub pays at most ${callMax} a call on the chain` };
  const unreachable = { why: 'no node of the chain answers now' };
  const rail = await chainRailOf(hub, network);
  if (rail === undefined) return unreachable;
  if (way.payTo === rail.payTo) return { why: 'the receiver is the hub itself' };
  const { treasury } = await hub.chains.wallets(network);
  if (treasury === undefined) throw new Error(`${network} has lost its hot wallet`);
  try {
    const port = await hub.chains.port(network);
    const [head, has] = [await port.head(), await port.balanceOf(treasury.address)];
    const { backing, promised } = await hub.store.read(async (db) => ({
      backing: await readBacking(db, network),
      promised: await leaving(db, network),
    }));
    if (backing?.backed === false) return { why: 'money is not leaving this hub now' };
    if (has < promised + way.amount) {
      hub.log.error({ network, needs: `${way.amount}` }, 'the hot wallet lacks the token');
      return { why: 'the wallet of the hub lacks the money now' };
    }
    const nonce: Hex = `0x${Buffer.from(hub.random(NONCE_BYTES)).toString('hex')}`;
    const authorization = authorizationFor(way, rail.payTo, nonce, hub.clock.now());
    const signature = await treasury.authorize(rail, authorization);
    return { rail, way, authorization, signature, fromBlock: head.number };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return unreachable;
  }
}

/**
 * Holds the caller's money for it and keeps it, in the unit of the call; from then on it may be
 * sent. The day's row is locked after accounts are, here and where a payment ends.
 */
export async function keepUpstream(
  tx: Writer,
  hub: Hub,
  signed: SignedUpstream,
  { callId, account }: { readonly callId: string; readonly account: Account },
): Promise<OpenUpstream | NotPaid> {
  const { rail, way, authorization, signature, fromBlock } = signed;
  const { network, asset: token } = rail;
  const { value: amount } = authorization;
  const dayMax = hub.settings.x402PayUpstream?.dayMax ?? amount;
  const at = hub.clock.now();
  const day = utcDay(at);
  if (await hadReversal(tx, account, network)) {
    return { why: 'a deposit of yours vanished, so your money leaves by an operator alone' };
  }
  if (await mustStay(tx, { account, network }, amount)) {
    return { why: 'a deposit of yours is missing from the chain now' };
  }
  const id = hub.ids.uuid();
  const commitment = commitmentId(hub.ids.uuid());
  const ref = { kind: REF, id };
  const payment: OpenUpstream = {
    id,
    callId,
    network,
    account,
    token,
    authorization,
    signature,
    fromBlock,
    version: way.x402Version,
    commitment,
    day,
    at,
    end: { state: 'open', checkAt: plus(at, CHECK_SECONDS) },
  };
  const cause = { network, ref, at } as const;
  const held = await transfer(tx, hub, {
    ...cause,
    event: 'router.hold',
    actor: account,
    steps: [{ verb: 'hold', commitment, account, kind: 'call', amount, reason: 'call.hold' }],
  });
  if ('refused' in held) return { why: `${held.spendable} are spendable` };
  if (!(await countIntoDay(tx, { network, day }, amount, dayMax))) {
    await mustTransfer(tx, hub, {
      ...cause,
      event: 'router.return',
      actor: 'hub',
      steps: [{ verb: 'release', commitment, reason: 'call.return' }],
    });
    const why = `the hub pays at most ${dayMax} a day on the chain, and today has too little left`;
    return { why };
  }
  await insertUpstream(tx, payment);
  return payment;
}

/** Charges what moved and gives back what never will; anything else stays as it is. */
export async function endUpstream(
  tx: Writer,
  hub: Hub,
  id: string,
  fate: Fate | undefined,
): Promise<UpstreamPayment> {
  const payment = await lockUpstream(tx, id);
  if (payment.end.state !== 'open' || fate === undefined || fate.kind === 'open') return payment;
  const { network, account, commitment, authorization } = payment;
  const at = hub.clock.now();
  const cause = { network, ref: { kind: REF, id }, actor: 'hub', at } as const;
  if (fate.kind === 'moved') {
    const { transaction } = fate;
    const outside = houseAccount(`external:chain:${network}`);
    const reason = 'x402.pay';
    const to = [{ account: outside, amount: authorization.value, reason } as const];
    const transferId = await mustTransfer(tx, hub, {
      ...cause,
      event: 'x402.pay',
      steps: [{ verb: 'capture', commitment, reason, to }],
    });
    const end = { state: 'settled', transaction, transferId, at } as const;
    await endUpstreamRow(tx, id, end);
    return { ...payment, end };
  }
  await mustTransfer(tx, hub, {
    ...cause,
    event: 'router.return',
    steps: [{ verb: 'release', commitment, reason: 'call.return' }],
  });
  await countOutOfDay(tx, payment);
  hub.log.info({ payment: id, account, fate: fate.kind }, 'a payment on the chain was not taken');
  const end = { state: 'returned', at } as const;
  await endUpstreamRow(tx, id, end);
  return { ...payment, end };
}
