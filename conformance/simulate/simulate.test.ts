import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedPostgres } from '../harness/databases.ts';
import { mustHaveConformed } from '../harness/must.ts';
import { simulate } from './towns.ts';

/**
 * The hub against the independent model of `model/`: the same random operations on both, by 20
 * agents, with stopped schedulers, jumps of the clock and restarts. `npm run simulate` runs longer.
 */
const OPERATIONS = 900;
const SEED = 20_261_120;
const SUITE_MS_MAX = 240_000;

describe('the hub and an independent model of it', function suite() {
  this.timeout(SUITE_MS_MAX);
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulate-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const databases = {
    SQLite: async () => `sqlite:${join(folder, 'town.sqlite')}`,
    PostgreSQL: async () => (await sharedPostgres()).freshDatabase(),
  };
  for (const [name, freshDatabase] of Object.entries(databases)) {
    it(`say the same of ${OPERATIONS} operations (${name})`, async () => {
      const lanes = [{ name, freshDatabase }];
      const plan = { operations: OPERATIONS, firstSeed: SEED, lanes, shrinks: false };
      assert.equal((await simulate(plan)).found, undefined);
      mustHaveConformed();
    });
  }
});
