import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../harness/clock.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { hubsOnBothDatabases } from '../../memory/worlds.ts';
import { randomFrom, type Random } from '../../simulate/random.ts';
import type { Tally } from './tally.ts';

const MS_MAX = 1_800_000;
const RUNS_MAX = 6;

interface Walk {
  readonly seed: number;
  /** Events that every walk has to have met for its agreement to mean something. */
  readonly met: readonly string[];
  readonly play: (
    world: Fixture,
    clock: FakeClock,
    random: Random,
    operations: number,
  ) => Promise<Tally>;
}

/** Hub and model play the same on both databases, until they have met all that is to be met. */
export function playUntilMet(title: string, { seed, met, play }: Walk): void {
  hubsOnBothDatabases(`${title}, seed ${seed}`, (open) => {
    it(`say the same of ${LENGTHS.gameOperations} operations`, async function run() {
      this.timeout(MS_MAX);
      const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
      const world = await open({ clock });
      const random = randomFrom(seed);
      let missing = met;
      // The cards are the hub's own chance, so what a run meets of them differs: it plays on.
      for (let runs = 0; missing.length > 0 && runs < RUNS_MAX; runs += 1) {
        const tally = await play(world, clock, random, LENGTHS.gameOperations);
        missing = missing.filter((name) => tally.missing([name]).length > 0);
      }
      assert.deepEqual(missing, []);
    });
  });
}
