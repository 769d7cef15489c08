import { insertCall, readCall } from '../../db/router/calls.ts';
import type { Writer } from '../../db/store.ts';
import { plus, seconds } from '../../domain/instant.ts';
import { ZERO } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { closed, RESOLVE_AFTER_SECONDS, type Receipt } from '../../domain/router/receipt.ts';
import type { AttemptOutcome } from '../../domain/router/ending.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Body, Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { refuseFunds } from '../../workflows/wallet/funds.ts';
import { networkNamed } from '../../workflows/wallet/network.ts';
import { beginNext, type CallUnderWay } from '../../workflows/router/begin.ts';
import { conclude, type After, type Progress } from '../../workflows/router/conclude.ts';
import { planOf, type Plan } from '../../workflows/router/plan.ts';
import { presentCall } from './present.ts';
import { callAgent } from '../../workflows/router/callAgent.ts';

/**
 * Calls an agent for somebody (choices router.money). What is owed is held, and the receipt begun,
 * in one transaction before anybody is called; each outcome is written in another one after it.
 */
export const call: Handler<'router.call'> = async (call, hub) => {
  const startedAt = hub.clock.elapsedMs();
  mustBeClear(call);
  const network = networkNamed(hub, call.body.network, 'body.network');
  const plan = await planOf(hub, call.body, network);
  let underWay: CallUnderWay | undefined;
  const begun = await hub.once(call, async (tx) => {
    const started = await begin(tx, hub, { call, network, plan });
    underWay = 'candidate' in started ? started : undefined;
    return presentCall(started.receipt);
  });
  if (begun.repeated)
    return { status: 200, body: { ...(await again(hub, begun)), repeated: true } };
  if (underWay === undefined) return { status: 200, body: begun };
  const end = await run(hub, underWay, call.body, startedAt);
  return { status: 200, body: { ...presentCall(end.receipt, end.result), repeated: false } };
};

/** What can be refused without looking at anything. */
function mustBeClear({ body, header }: Call<'router.call'>): void {
  if (header['x-payment'] !== undefined) {
    refuse('payment-refused', {
      error: 'This hub takes no X-PAYMENT yet; nothing was called and nothing was charged.',
      hint: 'Send the call without X-PAYMENT; it is paid from the balance of the account.',
    });
  }
  if (body.agentId !== undefined && body.endpoint !== undefined) {
    refuse('not-together', {
      error: 'The call names both agentId and endpoint.',
      hint: 'Name one of them, or neither to let the hub pick.',
      field: 'body.endpoint',
    });
  }
}

interface Asked {
  readonly call: Call<'router.call'>;
  readonly network: NetworkId;
  readonly plan: Plan;
}

/** The first transaction: the receipt, and the price of whoever is called first. */
async function begin(
  tx: Writer,
  hub: Hub,
  { call, network, plan }: Asked,
): Promise<CallUnderWay | { readonly receipt: Receipt }> {
  plan.refuse?.();
  const [at, { caller, operation, maxPrice }] = [hub.clock.now(), call.body];
  const receipt: Receipt = {
    id: hub.ids.uuid(),
    caller,
    network,
    operation,
    ...(maxPrice !== undefined && { maxPrice }),
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
      ...(listingId !== undefined && { listingId }),
      ...(endpoint !== undefined && { endpoint }),
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
  if (next.short !== undefined) refuseFunds(hub, next.short, { network, field: 'body.maxPrice' });
  const why = 'Another call is trying the address after a rest; ask again in half a minute.';
  return insertOver(tx, closed(receipt, 'failed', why, at));
}

async function insertOver(tx: Writer, receipt: Receipt): Promise<{ readonly receipt: Receipt }> {
  await insertCall(tx, receipt);
  return { receipt };
}

interface End {
  readonly receipt: Receipt;
  readonly result?: { readonly value: unknown };
}

/** Calls one candidate after the other; each is bounded, and so is all of it. */
async function run(
  hub: Hub,
  first: CallUnderWay,
  { arguments: args = {}, repeatable = false }: Body<'router.call'>,
  startedAt: number,
): Promise<End> {
  const elapsed = (): number => Math.max(0, Math.round(hub.clock.elapsedMs() - startedAt));
  let underWay = first;
  let worst: AttemptOutcome = 'failed';
  for (;;) {
    const turn = underWay;
    const ended = await callAgent(hub, turn, args, elapsed());
    const progress: Progress = { elapsedMs: elapsed(), worst, repeatable };
    const after: After | undefined = await hub.store.write((tx) =>
      conclude(tx, hub, turn, ended, progress),
    );
    if (after === undefined) return { receipt: await mustRead(hub, turn.receipt.id) };
    if ('done' in after) {
      const { ending } = ended;
      const result = ending.end === 'served' ? { value: ending.result } : undefined;
      return { receipt: after.done, ...(result !== undefined && { result }) };
    }
    ({ underWay, worst } = after);
  }
}

/** A repeat gets the receipt as it stands now; the answer itself is not kept. */
async function again(
  hub: Hub,
  { receipt }: { readonly receipt: { readonly id: string } },
): Promise<ReturnType<typeof presentCall>> {
  return presentCall(await mustRead(hub, receipt.id));
}

async function mustRead(hub: Hub, id: string): Promise<Receipt> {
  const found = await hub.store.read((db) => readCall(db, id));
  if (found === undefined) throw new Error(`call ${id} has no row`);
  return found;
}
