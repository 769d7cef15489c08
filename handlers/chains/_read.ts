import { readChain, stepsOf } from '../../db/chains/chains.ts';
import type { StoredChain } from '../../db/chains/chains.ts';
import { dueInChain, tasksOfChain } from '../../db/chains/tasks.ts';
import type { Reader } from '../../db/store.ts';
import type { Chain } from '../../domain/chain/model.ts';
import type { Instant } from '../../domain/instant.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/errors.ts';
import type { Hub } from '../../server/hub.ts';
import { readSettled } from '../tasks/_due.ts';
import { presentChain } from './_present.ts';

/** The chain of this id; refuses an id that nobody has. */
export async function chainById(db: Reader, id: string): Promise<StoredChain> {
  return (await readChain(db, id)) ?? noSuchChain();
}

export function noSuchChain(): never {
  return refuse('not-found', {
    error: 'There is no chain with this id.',
    hint: 'GET /api/v1/chains lists the chains.',
  });
}

/**
 * Applies what the clock has decided about the chain's steps; the chain follows (choices
 * pipeline.due).
 */
export async function settleChain(hub: Hub, id: string): Promise<void> {
  const now = hub.clock.now();
  const due = await hub.store.read((db) => dueInChain(db, id, now));
  for (const taskId of due) await readSettled(hub, taskId);
}

export async function showChain(
  db: Reader,
  chain: Chain,
  now: Instant,
): Promise<Omit<components['schemas']['Chain'], 'repeated'>> {
  const steps = await stepsOf(db, chain.id);
  return presentChain(chain, steps, await tasksOfChain(db, chain.id), now);
}
