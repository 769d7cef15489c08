import assert from 'node:assert/strict';
import { fakeClock } from '../../harness/clock.ts';
import { LENGTHS } from '../../harness/lengths.ts';
import { hubsOnBothDatabases } from '../worlds.ts';
import { randomFrom } from '../../simulate/random.ts';
import { play } from './driver.ts';

/** Short runs of this one meet all that has to be met. */
const SEED = Number(process.env['SIMULATE_SEED'] ?? 2);
const MS_MAX = 600_000;
/** Events that every run has to have met for its agreement to mean something. */
const MET = [
  'added',
  'overwritten',
  'duplicate',
  'repeated',
  'found',
  'nothing found',
  'write: not-granted',
  'write: memory-read-only',
  'write: insufficient-funds',
  'search: insufficient-funds',
  'grant: wrong-mode',
  'grant: self-dealing',
  'put',
  'replaced',
  'put, repeated',
  'put: storage-full',
  'put: memory-read-only',
  'put: insufficient-funds',
  'get',
  'get: wrong-owner',
  'get: not-found',
  'shared',
  'kept for an hour',
  'swept',
];

hubsOnBothDatabases(`memory and files and an independent model of them, seed ${SEED}`, (open) => {
  it(`say the same of ${LENGTHS.memoryOperations} operations`, async function run() {
    this.timeout(MS_MAX);
    const clock = fakeClock(Date.parse('2026-11-20T12:05:00Z'));
    const world = await open({ clock });
    const { counts } = await play(world, clock, randomFrom(SEED), LENGTHS.memoryOperations);
    assert.deepEqual(
      MET.filter((what) => !counts.has(what)),
      [],
    );
  });
});
