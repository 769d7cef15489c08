import assert from 'node:assert/strict';
import { fakeClock, type FakeClock } from '../../harness/clock.ts';
import type { Fixture } from '../../harness/fixture.ts';
import { hubsOnBothDatabases } from '../../harness/hubsOnBothDatabases.ts';
import { randomFrom, type Random } from './random.ts';
import type { Tally } from './tally.ts';

const MS_MAX = 1_800_000;
const RUNS_MAX = 6;

export interface Setup {
  /** The hub of the walk, opened when it is first asked for. */
  readonly world: () => Promise<Fixture>;
  readonly clock: FakeClock;
  readonly random: Random;
  readonly operations: number;
  readonly databaseUrl: string;
}

interface Walk {
  /** Used unless SIMULATE_SEED names another. */
  readonly seed: number;
  readonly operations: number;
  /** Events that every walk has to have met for its agreement to mean something. */
  readonly matched: readonly string[];
  /** Chance of the hub's own, such as its cards, decides what a run meets, so it plays on. */
  readonly hasOwnChance?: true;
  play(setup: Setup): Promise<Tally>;
}

/** Hub and model play the same on both databases, and have to meet all that is to be met. */
export function walk(title: string, { seed: usual, operations, matched, ...given }: Walk): void {
  const seed = Number(process.env['SIMULATE_SEED'] ?? usual);
  hubsOnBothDatabases(`${title}, seed ${seed}`, (open, url) => {
    it(`say the same of ${operations} operations`, async function run() {
      this.timeout(MS_MAX);
      const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
      let opening: Promise<Fixture> | undefined;
      const world = (): Promise<Fixture> => (opening ??= open({ clock }));
      const setup = { world, clock, random: randomFrom(seed), operations, databaseUrl: url() };
      let missing = matched;
      for (
        let runs = given.hasOwnChance ? RUNS_MAX : 1;
        runs > 0 && missing.length > 0;
        runs -= 1
      ) {
        const tally = await given.play(setup);
        missing = tally.missing(missing);
      }
      assert.deepEqual(missing, []);
    });
  });
}
