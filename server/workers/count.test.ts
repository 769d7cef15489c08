import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { heapMbOf, workersOf } from './count.ts';

const POSTGRES = 'postgres://hub@127.0.0.1/hub';
const SQLITE = 'sqlite:./data/hub.sqlite';
const GB = 1_073_741_824;

describe('the number of workers', () => {
  it('is what the setting says on PostgreSQL, a core each by itself, and none without it', () => {
    const of = (workers?: number | 'auto'): number =>
      workersOf({ databaseUrl: POSTGRES, worldsMax: 0, ...(workers && { workers }) });
    assert.deepEqual([of(), of(1), of(3), of(64)], [0, 1, 3, 64]);
    assert.equal(of('auto'), Math.min(availableParallelism(), 64));
  });

  it('is one process on SQLite, and more of them are refused in one line', () => {
    const of = (workers: number | 'auto'): number =>
      workersOf({ databaseUrl: SQLITE, worldsMax: 4, workers });
    assert.deepEqual([of('auto'), of(1)], [0, 0]);
    assert.throws(
      () => of(2),
      /^StartError: HUB_WORKERS=2 needs PostgreSQL[^\n]*HUB_DATABASE_URL[^\n]*$/,
    );
  });

  it('is one beside test worlds, which are in the memory of one process', () => {
    const of = (workers: number): number =>
      workersOf({ databaseUrl: POSTGRES, worldsMax: 1, workers });
    assert.equal(of(1), 1);
    assert.throws(() => of(2), /HUB_TEST_WORLDS/);
  });

  it('gives their heaps three quarters of the memory together', () => {
    assert.deepEqual(
      [1, 2, 8, 64].map((count) => heapMbOf(count, 16 * GB)),
      [12_288, 6_144, 1_536, 256],
    );
  });
});
