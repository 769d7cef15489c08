import assert from 'node:assert/strict';
import { fakeClock } from '../../harness/clock.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { hubsOnBothDatabases } from '../../memory/worlds.ts';
import { randomFrom } from '../../simulate/random.ts';
import { playTournaments } from './tournamentDriver.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 4);
const MS_MAX = 1_800_000;
const RUNS_MAX = 6;
/** What every run has to have met for its agreement to mean something. */
const MET = [
  'sit',
  'sit: buyin-range',
  'sit: already-seated',
  'sit: started',
  'leave',
  'leave: started',
  'leave: not-seated',
  'act',
  'act: illegal-move',
  'absent',
  'busted',
  'won',
  'not filled',
];

hubsOnBothDatabases(`sit-and-gos and an independent model of them, seed ${SEED}`, (open) => {
  it(`say the same of ${LENGTHS.gameOperations} operations`, async function run() {
    this.timeout(MS_MAX);
    const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
    const world = await open({ clock });
    const random = randomFrom(SEED);
    let missing: readonly string[] = MET;
    // The cards are the hub's own chance, so what a run meets of them differs: it plays on.
    for (let runs = 0; missing.length > 0 && runs < RUNS_MAX; runs += 1) {
      const tally = await playTournaments(world, clock, random, LENGTHS.gameOperations);
      missing = missing.filter((name) => tally.missing([name]).length > 0);
    }
    assert.deepEqual(missing, []);
  });
});
