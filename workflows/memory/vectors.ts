import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { Space } from '../../db/memory/spaces.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { normalised } from '../../domain/memory/embedding.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { Acting, Hub } from '../kernel/hub.ts';
import { refuse } from '../kernel/errors.ts';
import { logFailure } from '../kernel/logFailure.ts';
import { admitCall, beginning, mustEmbed, offerNamed } from '../models/admit.ts';
import { askToEnd, type AskedToEnd } from '../models/askToEnd.ts';
import { concluding } from '../models/conclude.ts';

/**
 * Vectors that a model of the desk makes for a space (choices memory.models). The call is held with
 * the price of what it is for, and charged in the transaction that stores or finds something, or
 * not at all.
 */
export interface Bought extends AskedToEnd {
  /** One for each text, of length 1. */
  readonly vectors: readonly Float32Array[];
}

/** How many numbers the model's vectors have; refuses one that makes none, or none of so many. */
export function modelOfVectors(
  hub: Hub,
  { model, dimensions }: { readonly model: string; readonly dimensions?: number },
): number {
  return mustEmbed(offerNamed(hub, model), { inputs: [], ...defined({ dimensions }) }).dimensions;
}

export interface Wanted {
  readonly caller: Acting['caller'];
  readonly operation: string;
  readonly account: Account;
  readonly network: NetworkId;
  /** The price of what the vectors are for, held beside what the model may cost. */
  readonly price: Atomic;
  readonly texts: readonly string[];
  readonly gone: AbortSignal;
}

/** Has the model of a space make vectors; refuses, at no cost, when it does not. */
export async function buyVectors(
  hub: Hub,
  { model, dimensions }: Pick<Space, 'dimensions'> & { readonly model: string },
  wanted: Wanted,
): Promise<Bought> {
  const { caller, operation, account, network, price, texts: inputs, gone } = wanted;
  const embeds = { inputs, dimensions };
  const prompt = { messages: [], options: {}, embeds };
  const admitted = await admitCall(hub, { model, prompt, network });
  const payer = { account, door: 'api', service: { operation, price } } as const;
  const begun = beginning(hub, admitted, payer);
  const receipt = await hub.transact({ caller, operation }, begun);
  const asking = askToEnd(hub, receipt, admitted, gone);
  hub.models.track(asking);
  const asked = await asking;
  const { answer, ending } = asked;
  const units = answer.vectors.flatMap((vector) => normalised(vector, dimensions) ?? []);
  if (units.length === inputs.length && ending.outcome !== 'failed') {
    return { ...asked, vectors: units };
  }
  await leaveUnused(hub, asked);
  const reason = ending.reason ?? 'it answered a vector of zeros.';
  return refuse('model-failed', {
    error: `${model} made no vector: ${reason} Nothing was charged.`,
    hint: 'Send the call again, or send an `embedding` of your own with it.',
  });
}

/** The end of the call in a transaction that does more, before that takes its own price. */
export interface VectorsPaid {
  readonly needs: readonly Need[];
  decide(db: Decider): ModelReceipt | undefined;
}

/** Charges what was bought; `isUsed` false leaves the cost to the hub, as for an empty search. */
export function payVectors(
  hub: Hub,
  { receipt, tally, ending }: AskedToEnd,
  isUsed = true,
): VectorsPaid {
  const isBorne = !isUsed && ending.outcome !== 'failed';
  const reason = 'Nothing was stored or found with it, so the hub bears it.';
  const paid = isBorne ? { ...ending, isBorne, reason } : ending;
  return concluding(hub, { receipt, turns: tally.turns, ending: paid });
}

/** Ends the call of what was bought in vain. A failure is left to the job that ends left calls. */
async function leaveUnused(hub: Hub, bought: AskedToEnd): Promise<void> {
  try {
    await hub.store.decide(payVectors(hub, bought, false));
  } catch (error) {
    logFailure(hub.log, error, 'a call for vectors was not ended', { call: bought.receipt.id });
  }
}

/** Runs `work` with what was bought; when it charges nothing of it, the call ends unused. */
export async function untilPaid<T>(
  hub: Hub,
  bought: AskedToEnd | undefined,
  work: () => Promise<T & { readonly repeated: boolean }>,
): Promise<T & { readonly repeated: boolean }> {
  let isEnded = false;
  try {
    const body = await work();
    isEnded = !body.repeated;
    return body;
  } finally {
    if (bought !== undefined && !isEnded) await leaveUnused(hub, bought);
  }
}
