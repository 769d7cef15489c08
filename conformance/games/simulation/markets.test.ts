import assert from 'node:assert/strict';
import { fakeClock } from '../../harness/clock.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { hubsOnBothDatabases } from '../../memory/worlds.ts';
import { randomFrom } from '../../simulate/random.ts';
import { playMarkets } from './marketDriver.ts';

const SEED = Number(process.env['SIMULATE_SEED'] ?? 4);
const MS_MAX = 1_800_000;
/** Events that every run has to have met for its agreement to mean something. */
const MET = [
  'create',
  'bet',
  'bet: repeated',
  'bet: below-minimum',
  'bet: market-closed',
  'bet: creator-may-not',
  'bet: market-moved',
  'bet: insufficient-funds',
  'judge',
  'judge: market-open',
  'judge: already-resolved',
  'judge: bad-check',
  'judge: not-a-judge',
  'judge: holds-position',
  'paid yes',
  'paid no',
  'unanswerable',
  'unresolved',
  'no-sample',
  'empty-side',
];

hubsOnBothDatabases(`markets and an independent model of them, seed ${SEED}`, (open) => {
  it(`say the same of ${LENGTHS.gameOperations} operations`, async function run() {
    this.timeout(MS_MAX);
    const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
    const world = await open({ clock });
    const tally = await playMarkets(world, clock, randomFrom(SEED), LENGTHS.gameOperations);
    assert.deepEqual(tally.missing(MET), [], JSON.stringify([...tally.counts]));
  });
});
