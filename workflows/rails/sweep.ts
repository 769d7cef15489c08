import { paidFrom, ownersOf } from '../../db/rails/depositAddresses.ts';
import { sentStates } from '../../db/x402/sent.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { atomic, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { EvmAddress, Hex } from '../../domain/rails/evm.ts';
import { ORDERS_MAX, type SweepOrder, type SweepPlan } from '../../domain/rails/sweep.ts';
import type { Hub } from '../kernel/hub.ts';
import { authorizations } from '../kernel/x402/lazy.ts';
import { enqueueCall } from './outbox.ts';

/** Deposits on their way to the hot wallet, as an operator's command has them moved. */
export type SweepingHub = Pick<Hub, 'store' | 'clock' | 'ids' | 'chains' | 'random'>;

const PURPOSE = 'sweep';
const STEP = 50;
/** A plan is carried to a machine without network and back. */
const VALID_SECONDS = seconds(7 * 86_400);
const NONCE_BYTES = 32;
/** The contract refuses for good: less money than the order says, or used before. */
const TRIES_MAX = 1;

/** Orders for every address that was paid and holds at least `min`; nothing is changed. */
export async function planSweep(
  hub: SweepingHub,
  network: NetworkId,
  min: Atomic,
): Promise<SweepPlan> {
  const { chainId, token: asset } = factsOf(hub, network);
  const to = await treasuryOf(hub, network);
  const port = await hub.chains.port(network);
  const token = await port.tokenDomain();
  const validBefore = BigInt(Math.floor(plus(hub.clock.now(), VALID_SECONDS) / 1000));
  const orders: SweepOrder[] = [];
  for (let place = 0; orders.length < ORDERS_MAX;) {
    const from = place;
    const some = await hub.store.readOne((db) => paidFrom(db, network, from, STEP));
    const last = some.at(-1);
    if (last === undefined) break;
    const has = await Promise.all(some.map(({ address }) => port.balanceOf(address)));
    for (const [n, { path, address }] of some.entries()) {
      const value = atomic(has[n] ?? 0n);
      if (value < min || value === 0n || orders.length >= ORDERS_MAX) continue;
      const nonce: Hex = `0x${Buffer.from(hub.random(NONCE_BYTES)).toString('hex')}`;
      const authorization = { from: address, to, value, validAfter: 0n, validBefore, nonce };
      orders.push({ path, authorization });
    }
    place = last.place + 1;
  }
  return { chainId, asset, token, to, orders };
}

export interface Submitted {
  readonly queued: number;
  /** Why the others are not. */
  readonly refused: readonly { readonly from: EvmAddress; readonly why: string }[];
}

/** Hands signed orders to the hot wallet, each in a unit of its own; the hub sends them. */
export async function submitSweep(
  hub: SweepingHub,
  network: NetworkId,
  plan: SweepPlan,
): Promise<Submitted | { readonly refused: string }> {
  const facts = factsOf(hub, network);
  const treasury = await treasuryOf(hub, network);
  if (plan.chainId !== facts.chainId || plan.asset !== facts.token) {
    return { refused: 'the file is of another chain or token' };
  }
  if (plan.to !== treasury) return { refused: 'the file pays another wallet than the hub has' };
  const refused: { readonly from: EvmAddress; readonly why: string }[] = [];
  let queued = 0;
  for (const order of plan.orders) {
    const why = await submitOne(hub, network, plan, order);
    if (why === undefined) queued += 1;
    else refused.push({ from: order.authorization.from, why });
  }
  return { queued, refused };
}

async function submitOne(
  hub: SweepingHub,
  network: NetworkId,
  plan: SweepPlan,
  { authorization, signature }: SweepOrder,
): Promise<string | undefined> {
  const { from, validBefore, value } = authorization;
  if (signature === undefined) return 'it is not signed';
  if (validBefore * 1000n <= BigInt(hub.clock.now())) return 'it has lapsed; make a new plan';
  const { signerOf, settleData } = await authorizations();
  if ((await signerOf(plan, authorization, signature, 'receive')) !== from) {
    return 'its signature is not of this address';
  }
  const port = await hub.chains.port(network);
  if ((await port.balanceOf(from)) < value) return 'the address holds less than it says';
  return hub.store.write(async (tx) => {
    const owners = await ownersOf(tx, network, [from]);
    if (!owners.has(from)) return 'it is no address of deposits of this hub';
    const states = await sentStates(tx, PURPOSE, from);
    if (states.some((each) => each === 'queued' || each === 'signed' || each === 'broadcast')) {
      return 'a sweep of this address is under way';
    }
    await enqueueCall(tx, hub, {
      network,
      purpose: PURPOSE,
      refId: from,
      to: plan.asset,
      data: settleData(authorization, signature, 'receive'),
      triesMax: TRIES_MAX,
    });
    return undefined;
  });
}

function factsOf({ chains }: SweepingHub, network: NetworkId) {
  const facts = chains.facts(network);
  if (facts === undefined) throw new Error(`${network} has no chain: set HUB_CHAIN_RPC`);
  return facts;
}

async function treasuryOf({ chains }: SweepingHub, network: NetworkId): Promise<EvmAddress> {
  const { treasury } = await chains.wallets(network);
  if (treasury === undefined) throw new Error('there is no hot wallet: set HUB_TREASURY_KEY');
  return treasury.address;
}
