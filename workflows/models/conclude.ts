import { insertModelAttempt } from '../../db/models/attempts.ts';
import { lockModelCall, readModelCall, updateModelCall } from '../../db/models/calls.ts';
import type { Writer } from '../../db/store.ts';
import type { Ending, ModelReceipt } from '../../domain/models/receipt.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { settleCall } from './money.ts';
import type { Tally } from './tally.ts';

/** A call that ends: what it gave, and how that is paid. */
export interface EndedCall {
  readonly id: string;
  readonly tally: Tally;
  readonly ending: Ending;
}

/** Charges, returns and measures in one transaction. */
export async function conclude(hub: Hub, ended: EndedCall): Promise<ModelReceipt> {
  const { id } = ended;
  const receipt = await hub.store.write(
    async (tx) => (await concludeIn(tx, hub, ended)) ?? (await readModelCall(tx, id)),
  );
  if (receipt === undefined) throw new Error(`model call ${id} has no row`);
  return receipt;
}

/**
 * The same in a transaction that does more. A call that somebody else ended meanwhile is left as it
 * is, and undefined answered, so it is never both charged and returned.
 */
export async function concludeIn(
  tx: Writer,
  hub: Hub,
  { id, tally, ending }: EndedCall,
): Promise<ModelReceipt | undefined> {
  const running = await lockModelCall(tx, id);
  if (running === undefined) return undefined;
  const settled = await settleCall(tx, hub, running, ending);
  await updateModelCall(tx, settled);
  for (const [n, turn] of tally.turns.entries()) {
    const { provider, ...measured } = turn;
    const served = provider.name === ending.servedBy;
    await insertModelAttempt(tx, {
      ...measured,
      callId: id,
      n,
      model: settled.model,
      provider: provider.name,
      tokens: served ? ending.usage.output : 0,
      at: hub.clock.now(),
    });
  }
  return settled;
}
