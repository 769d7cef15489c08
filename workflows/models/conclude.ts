import { decideIn } from '../../db/batch/inside.ts';
import { need } from '../../db/batch/need.ts';
import type { Transaction } from '../../db/batch/transaction.ts';
import { readModelCall } from '../../db/models/calls.ts';
import { MODEL_ATTEMPTS } from '../../db/models/attempts.ts';
import { MODEL_CALLS } from '../../db/models/calls.ts';
import type { Writer } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Ending, ModelReceipt } from '../../domain/models/receipt.ts';
import type { Hub } from '../kernel/hub.ts';
import { giveBackBorne } from './ceilings.ts';
import { settling } from './money.ts';
import type { ProviderTurn } from './tally.ts';

/** A call that ends: what it gave, and how that is paid. */
export interface EndedCall {
  readonly receipt: ModelReceipt;
  /** Providers that were asked, in that order. */
  readonly turns: readonly ProviderTurn[];
  readonly ending: Ending;
  /** The call is ended only when its lease was not renewed by then. */
  readonly leftBy?: Instant;
}

/** Charges, returns and measures in one transaction. */
export async function conclude(hub: Hub, ended: EndedCall): Promise<ModelReceipt> {
  const { id } = ended.receipt;
  const done = await hub.store.decide(concluding(hub, ended));
  const receipt = done ?? (await hub.store.readOne((db) => readModelCall(db, id)));
  if (receipt === undefined) throw new Error(`model call ${id} has no row`);
  return receipt;
}

/** The service whose cost counts against a quota where the hub bears it. */
export const REWRITING_SERVICE = 'services.compressPrompt';

/** The same in a transaction that does more, and of a rewriting, of which the hub may bear the cost. */
export async function concludeIn(
  tx: Writer,
  hub: Hub,
  ended: EndedCall,
): Promise<ModelReceipt | undefined> {
  const done = await decideIn(tx, concluding(hub, ended));
  if (done?.service === REWRITING_SERVICE) await giveBackBorne(tx, done);
  return done;
}

/** Returns undefined for a call that another process ended: none is both charged and returned. */
export function concluding(
  hub: Hub,
  { receipt, turns, ending, leftBy }: EndedCall,
): Transaction<ModelReceipt | undefined> {
  const { id, model } = receipt;
  const { needs, settle } = settling(hub, receipt, ending);
  return {
    needs: [need(MODEL_CALLS, id), ...needs],
    decide(db) {
      const running = db.find(MODEL_CALLS, id);
      if (running === undefined) return undefined;
      if (leftBy !== undefined && running.resolveAt > leftBy) return undefined;
      const settled = settle(db, running);
      db.put(MODEL_CALLS, id, settled);
      const at = hub.clock.now();
      for (const [n, { provider: asked, ...measured }] of turns.entries()) {
        const { name: provider, offerId = model } = asked;
        const tokens = provider === ending.servedBy ? ending.usage.output : 0;
        const attempt = { ...measured, callId: id, n, model: offerId, provider, tokens, at };
        db.put(MODEL_ATTEMPTS, { callId: id, n }, attempt);
      }
      return settled;
    },
  };
}
