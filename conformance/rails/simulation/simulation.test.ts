import { LENGTHS } from '../../harness/lengths.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';
import { walk, type Setup } from '../../kinds/simulate/walk.ts';
import type { Tally } from '../../kinds/simulate/tally.ts';
import { openPaidFixture } from '../../x402/_fixture.ts';
import { faultyChain } from '../faults.ts';
import { play } from './driver.ts';

async function playOnChain({ databaseUrl, random, operations }: Setup): Promise<Tally> {
  const chaos = faultyChain();
  // Finality of this chain is two blocks; depth is what credits here.
  chaos.faults.neverFinal = true;
  const world = await openPaidFixture({ databaseUrl, wrapChain: chaos.wrap });
  try {
    const tally = await play(world, random, operations);
    await assertBooksBalance(world.hub.running.hub.store);
    return tally;
  } finally {
    await world.close();
  }
}

walk('money over a chain and an independent model of it', {
  seed: 3,
  operations: LENGTHS.railOperations,
  matched: [
    'deposit',
    'credited',
    'orphaned',
    'reorganised',
    'withdraw',
    'withdraw: insufficient-funds',
    'withdraw: below-minimum',
    'arrived',
    'recalled',
    'recalled too late',
    'call',
    'call over x402',
    'paid again',
  ],
  play: playOnChain,
});
