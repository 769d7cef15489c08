import { readModelCall } from '../../db/models/calls.ts';
import type { Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import type { ModelReceipt } from '../../domain/models/receipt.ts';
import { HubError } from '../kernel/errors.ts';
import type { Hub } from '../kernel/hub.ts';
import { admitCall, beginning, type AdmittedCall, type ModelAsk, type Payer } from './admit.ts';

/** A call before its transaction. A refusal is thrown inside it, so a repeat finds its receipt. */
export type PlannedCall = { readonly admitted: AdmittedCall } | { readonly refusal: HubError };

export async function planCall(hub: Hub, ask: ModelAsk): Promise<PlannedCall> {
  try {
    return { admitted: await admitCall(hub, ask) };
  } catch (thrown) {
    if (thrown instanceof HubError) return { refusal: thrown };
    throw thrown;
  }
}

export function admittedOf(planned: PlannedCall): AdmittedCall {
  if ('refusal' in planned) throw planned.refusal;
  return planned.admitted;
}

export interface BegunCall {
  readonly admitted: AdmittedCall;
  readonly receipt: ModelReceipt;
}

/** The first transaction of a call, in which what it was refused for is thrown. */
export interface BeginningPlanned {
  readonly needs: readonly Need[];
  decide(db: Decider): BegunCall;
}

export function beginPlanned(hub: Hub, planned: PlannedCall, payer: Payer): BeginningPlanned {
  if ('refusal' in planned) return { needs: [], decide: () => admittedOf(planned) as never };
  const { admitted } = planned;
  const { needs, decide } = beginning(hub, admitted, payer);
  return { needs, decide: (db) => ({ admitted, receipt: decide(db) }) };
}

/** The receipt of a call as it stands now; a repeat gets it in place of the text. */
export async function receiptNow(hub: Hub, id: string): Promise<ModelReceipt> {
  const found = await hub.store.readOne((db) => readModelCall(db, id));
  if (found === undefined) throw new Error(`model call ${id} has no row`);
  return found;
}
