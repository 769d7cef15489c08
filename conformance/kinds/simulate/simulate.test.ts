import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASES } from '../../harness/databases.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { mustHaveConformed } from '../../harness/must.ts';
import { closeIdle } from './crashableProcess.ts';
import { simulate } from './fixtures.ts';

/**
 * The hub against the independent model of `model/`: the same random operations on both, by 20
 * agents, with stopped schedulers, jumps of the clock, restarts, judges that are silent or lie, and
 * kills. `npm run soak` plays more towns, and `npm run simulate` as many as are wanted.
 */
const { firstTown, towns, townOperations } = LENGTHS;
const OPERATIONS = towns * townOperations;
const DEATHS = ['deaths before the deed', 'deaths after the deed', 'deaths in jobs'];
const DEATHS_MIN = 2;
const OFFERS_MIN = 100;
const TOWN_MS_MAX = 80_000;

describe('the hub and an independent model of it', function suite() {
  this.timeout(towns * TOWN_MS_MAX);
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulate-'));
  });
  after(() => {
    closeIdle();
    return rm(folder, { recursive: true, force: true });
  });
  for (const [name, url] of DATABASES) {
    const freshDatabase = async (): Promise<string> => url(await mkdtemp(join(folder, 'town-')));
    it(`say the same of ${OPERATIONS} operations (${name})`, async () => {
      const lanes = [{ name, freshDatabase }];
      const size = { operations: OPERATIONS, townOperations };
      const { found, coverage } = await simulate({
        ...size,
        firstSeed: firstTown,
        lanes,
        shrinks: false,
      });
      assert.equal(found, undefined);
      assert.ok((coverage['accepted'] ?? 0) + (coverage['rejected'] ?? 0) > 0, 'no panel decided');
      assert.ok((coverage['shares met'] ?? 0) > 0, 'no gang met the shares of what is lent');
      assert.ok((coverage['offers tried'] ?? 0) > OFFERS_MIN, 'hardly an offer was tried');
      const crashes = DEATHS.reduce((sum, kind) => sum + (coverage[kind] ?? 0), 0);
      assert.ok(crashes >= DEATHS_MIN, `only ${crashes} deaths`);
      mustHaveConformed();
    });
  }
});
