import assert from 'node:assert/strict';
import { sharedPostgres } from '../../harness/databases.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { assertBooksBalance } from '../../ledger/auditor.ts';
import { randomFrom } from '../../simulate/random.ts';
import { openPaidFixture } from '../../x402/_fixture.ts';
import { faultyChain } from '../faults.ts';
import { play } from './driver.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 3);
const MS_MAX = 1_800_000;
/** Events that every run has to have met for its agreement to mean something. */
const MET = [
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
];

function suite(title: string, databaseUrl: () => Promise<string>): void {
  it(`say the same of ${LENGTHS.railOperations} operations (${title})`, async function run() {
    this.timeout(MS_MAX);
    const chaos = faultyChain();
    // Finality of this chain is two blocks; depth is what credits here.
    chaos.faults.neverFinal = true;
    const world = await openPaidFixture({
      databaseUrl: await databaseUrl(),
      wrapChain: chaos.wrap,
    });
    try {
      const counts = await play(world, randomFrom(SEED), LENGTHS.railOperations);
      assert.deepEqual(
        MET.filter((what) => !counts.has(what)),
        [],
      );
      await assertBooksBalance(world.hub.running.hub.store);
    } finally {
      await world.close();
    }
  });
}

describe(`money over a chain and an independent model of it, seed ${SEED}`, () => {
  suite('SQLite', async () => 'sqlite::memory:');
  suite('PostgreSQL', async () => (await sharedPostgres()).freshDatabase());
});
