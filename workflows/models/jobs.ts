import { readModelCall, staleModelCalls } from '../../db/models/calls.ts';
import type { Writer } from '../../db/store.ts';
import { defined } from '../../domain/defined.ts';
import type { Ending, ModelReceipt } from '../../domain/models/receipt.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import type { Job } from '../kernel/job.ts';
import { concludeIn } from './conclude.ts';

const CALLS_AT_ONCE_MAX = 100;

/**
 * Ends calls unrenewed for a minute after a stop of the hub. A stream's output by its last renewal
 * is charged; without a record the whole hold goes back. The row is locked, so a call is never both
 * charged and returned.
 */
async function resolveModelCalls(hub: Hub): Promise<void> {
  const now = hub.clock.now();
  const stale = await hub.store.readOne((db) => staleModelCalls(db, now, CALLS_AT_ONCE_MAX));
  for (const id of stale) {
    const named = { failure: 'ending a model call failed', call: id };
    await apart(hub, named, () => hub.store.write((tx) => resolve(tx, hub, id)));
  }
}

async function resolve(tx: Writer, hub: Hub, id: string): Promise<void> {
  const receipt = await readModelCall(tx, id);
  if (receipt?.outcome !== 'running') return;
  const ended = { receipt, turns: [], ending: knownOf(receipt) };
  await concludeIn(tx, hub, { ...ended, leftBy: hub.clock.now() });
}

function knownOf({ usage, price, refused, servedBy }: ModelReceipt): Ending {
  const common = { usage, price, refused, ...defined({ servedBy }) };
  if (usage.output === 0) {
    const reason =
      'The hub stopped during the call and has no token of an answer on record; what was held is back.';
    return { ...common, outcome: 'failed', reason };
  }
  const reason = `The hub stopped during the call; ${usage.output} tokens that it had given are on record and charged.`;
  return { ...common, outcome: 'closed-early', reason };
}

export const jobs: readonly Job[] = [
  { name: 'modelResolve', everySeconds: 10, run: resolveModelCalls },
];
