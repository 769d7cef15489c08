import { beginChain } from '../../db/time/pulses.ts';
import type { Hub } from '../kernel/hub.ts';
import { witness } from './clock.ts';

/** The chain's name is in every pulse; a chain that starts over would be another one. */
const CHAIN_NAME = 'hub-time-1';

/** Names the chain of a new database, and begins to watch the clock of this process. */
export async function beginTime(hub: Hub): Promise<void> {
  witness(hub);
  await hub.store.write((tx) => beginChain(tx, CHAIN_NAME, hub.clock.now()));
}
