import { insertCall, readCall } from '../../db/router/calls.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { plus, seconds } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/jsonObject.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { AttemptOutcome } from '../../domain/router/ending.ts';
import { closed, RESOLVE_AFTER_SECONDS, type Receipt } from '../../domain/router/receipt.ts';
import type { Rail } from '../../domain/x402/rail.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseShort } from '../x402/door.ts';
import { beginNext, type CallUnderWay } from './begin.ts';
import { callAgent } from './callAgent.ts';
import { conclude, type After, type Progress } from './conclude.ts';
import type { Plan } from './plan.ts';

/**
 * Calls an agent for somebody (choices router.money). What is owed is held, and the receipt begun,
 * in one transaction before anybody is called; each outcome is written in another one after it.
 */
export interface Order {
  /** Who pays. */
  readonly caller: Account;
  readonly operation: string;
  readonly maxPrice?: Atomic;
  readonly network: NetworkId;
  readonly plan: Plan;
  /** Where it is called, when x402 can pay what is missing. */
  readonly door: { readonly path: string; readonly rail: Rail | undefined };
}

/** Begun, or over already. */
export type Begun = CallUnderWay | { readonly receipt: Receipt };

export interface Performed {
  readonly receipt: Receipt;
  readonly result?: { readonly value: unknown };
}

/** The first transaction: the receipt, and the price of whoever is called first. */
export async function beginOrder(tx: Writer, hub: Hub, order: Order): Promise<Begun> {
  const { caller, operation, maxPrice, network, plan, door } = order;
  plan.refuse?.();
  const at = hub.clock.now();
  const receipt: Receipt = {
    id: hub.ids.uuid(),
    caller,
    network,
    operation,
    ...defined({ maxPrice }),
    at,
    resolveAt: plus(at, seconds(RESOLVE_AFTER_SECONDS)),
    outcome: 'running',
    why: 'The agent is being called.',
    cost: ZERO,
    durationMs: 0,
    responseBytes: 0,
    refused: [],
    considered: plan.considered,
  };
  if (plan.over !== undefined) {
    const { outcome, why, candidate } = plan.over;
    const { listingId, endpoint, listed, quoted } = candidate ?? {};
    const over = {
      ...receipt,
      ...defined({ listingId, endpoint }),
      ...(listed !== undefined && { listedPrice: listed.amount }),
      ...(quoted !== undefined && { quotedPrice: quoted.price.amount }),
    };
    return insertOver(tx, closed(over, outcome, why, at));
  }
  const next = await beginNext(tx, hub, receipt, plan.offers);
  if ('candidate' in next) {
    await insertCall(tx, next.receipt);
    return next;
  }
  if (next.short !== undefined) {
    const what = { network, description: buying(operation), field: 'body.maxPrice', ...door };
    refuseShort(hub, next.short, what);
  }
  const why = 'Another call is trying the address after a rest; ask again in half a minute.';
  return insertOver(tx, closed(receipt, 'failed', why, at));
}

/** What a call of an operation is called where it is paid. */
export const buying = (operation: string): string => `calling ${operation}`;

async function insertOver(tx: Writer, receipt: Receipt): Promise<{ readonly receipt: Receipt }> {
  await insertCall(tx, receipt);
  return { receipt };
}

export interface CallWishes {
  readonly args: JsonObject;
  /** Whether another may be asked after one that broke off. */
  readonly isRepeatable: boolean;
  /** Of the hub's clock that only runs. */
  readonly startedAt: number;
}

/** Calls one candidate after the other; each is bounded, and so is all of it. */
export async function perform(
  hub: Hub,
  begun: Begun,
  { args, isRepeatable: repeatable, startedAt }: CallWishes,
): Promise<Performed> {
  if (!('candidate' in begun)) return begun;
  const elapsed = (): number => Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
  let underWay = begun;
  let worst: AttemptOutcome = 'failed';
  for (;;) {
    const turn = underWay;
    const ended = await callAgent(hub, turn, args, elapsed());
    const progress: Progress = { elapsedMs: elapsed(), worst, repeatable };
    const after: After | undefined = await hub.store.write((tx) =>
      conclude(tx, hub, turn, ended, progress),
    );
    if (after === undefined) return { receipt: await callReceipt(hub, turn.receipt.id) };
    if ('done' in after) {
      const { ending } = ended;
      const result = ending.end === 'served' ? { value: ending.result } : undefined;
      return { receipt: after.done, ...defined({ result }) };
    }
    ({ underWay, worst } = after);
  }
}

/** The receipt as it stands now; the answer itself is not kept. */
export async function callReceipt(hub: Hub, id: string): Promise<Receipt> {
  const found = await hub.store.read((db) => readCall(db, id));
  if (found === undefined) throw new Error(`call ${id} has no row`);
  return found;
}
