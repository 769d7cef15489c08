import assert from 'node:assert/strict';
import { fakeClock } from '../../harness/clock.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { hubsOnBothDatabases } from '../../memory/worlds.ts';
import { randomFrom } from '../../simulate/random.ts';
import { playTables } from './tableDriver.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 4);
const MS_MAX = 1_800_000;
/** What every run has to have met for its agreement to mean something. */
const MET = [
  'sit',
  'sit: buyin-range',
  'sit again',
  'sit again: already-seated',
  'leave',
  'leave: not-seated',
  'act',
  'act: illegal-move',
  'timed out',
  'waiting',
  'sittingOut',
  'busted',
  'flop',
  'turn',
  'river',
];

hubsOnBothDatabases(`cash tables and an independent model of them, seed ${SEED}`, (open) => {
  it(`say the same of ${LENGTHS.gameOperations} operations`, async function run() {
    this.timeout(MS_MAX);
    const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
    const world = await open({ clock });
    const tally = await playTables(world, clock, randomFrom(SEED), LENGTHS.gameOperations);
    assert.deepEqual(tally.missing(MET), [], JSON.stringify([...tally.counts]));
  });
});
