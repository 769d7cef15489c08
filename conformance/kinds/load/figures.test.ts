import assert from 'node:assert/strict';
import { coreShare, memorySlope } from './figures.ts';
import { quantile } from './quantile.ts';
import type { Sample } from './samples.ts';
import { openWatch } from './watch.ts';

const MINUTE = 60_000;
const sample = (given: Partial<Sample>): Sample => ({
  hub: 1,
  pid: 7,
  at: 0,
  rssBytes: 100,
  heapBytes: 50,
  cpuSeconds: 0,
  heapTotalBytes: 70,
  externalBytes: 5,
  loopP99Ms: 11,
  loopMaxMs: 12,
  ownP99Ms: 5,
  ownMaxMs: 6,
  waitedShare: 0,
  inFault: false,
  ...given,
});

describe('the figures of a run under load', () => {
  it('find the slope of memory of the process that lived longest, whatever spikes there were', () => {
    const long = Array.from({ length: 60 }, (_, n) =>
      sample({ at: n * MINUTE, rssBytes: 1_000 + n + (n % 9 === 0 ? 500 : 0) }),
    );
    const short = Array.from({ length: 20 }, (_, n) =>
      sample({ hub: 2, pid: 8, at: n * MINUTE, rssBytes: 1_000 + 90 * n }),
    );
    const slope = memorySlope([...short, ...long], 0);
    assert.equal(slope?.pid, 7);
    assert.equal(Math.round(slope?.bytesPerHour ?? 0), 60);
    assert.equal(memorySlope(long, 61 * MINUTE), undefined);
    // A cache that fills up once is in the slope of the whole, and not in that of the last three fifths.
    const filling = long.map((each, n) => ({ ...each, rssBytes: 1_000 + 50 * Math.min(n, 30) }));
    const filled = memorySlope(filling, 0);
    assert.ok((filled?.bytesPerHour ?? 0) > 0);
    assert.equal(filled?.laterBytesPerHour, 0);
    const heap = long.map((each, n) => ({ ...each, heapBytes: n % 3 === 0 ? 40 + n : 90 }));
    const least = memorySlope(heap, 0)?.fifths.map(({ heapBytes }) => heapBytes);
    assert.deepEqual(least, [40, 52, 64, 76, 88]);
  });

  it('count processor time within each process alone', () => {
    const samples = [
      sample({ at: 0, cpuSeconds: 5 }),
      sample({ at: 10_000, cpuSeconds: 9 }),
      sample({ at: 20_000, pid: 9, cpuSeconds: 1 }),
      sample({ at: 30_000, pid: 9, cpuSeconds: 3 }),
    ];
    assert.equal(coreShare(samples, 1), 0.3);
    assert.ok(Number.isNaN(coreShare(samples, 2)));
  });

  it('take the value below which a share of them is', () => {
    assert.deepEqual([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1)], [2, 3]);
    assert.ok(Number.isNaN(quantile([], 0.5)));
  });
});

describe('what a run under load sees of its hubs', () => {
  it('is explained by a fault of the same hub at that time, and by nothing else', () => {
    let now = 0;
    const watch = openWatch(() => now);
    const busy = { status: 503, code: 'busy', path: 'GET /' };
    now = 10_000;
    const end = watch.begin('kill', [2]);
    watch.answered({ ...busy, hub: 2, beganAt: 10_500, endedAt: 10_600 });
    watch.lost({ hub: 2, path: 'GET /', why: 'reset', beganAt: 9_000, endedAt: 10_100 });
    now = 12_000;
    end();
    assert.deepEqual(watch.unexplained, []);
    watch.answered({ ...busy, hub: 1, beganAt: 10_500, endedAt: 10_600 });
    watch.answered({ ...busy, hub: 2, beganAt: 20_000, endedAt: 20_100 });
    watch.answered({ ...busy, code: 'internal', hub: 2, beganAt: 10_500, endedAt: 10_600 });
    watch.answered({ ...busy, status: 500, hub: 2, beganAt: 10_500, endedAt: 10_600 });
    watch.lost({ hub: 1, path: 'GET /', why: 'reset', beganAt: 10_500, endedAt: 10_600 });
    assert.equal(watch.unexplained.length, 5);
  });

  it('lets a clock that was set refuse stamps, and nothing more', () => {
    const watch = openWatch(() => 0);
    watch.begin('clock', [1])();
    const seen = { hub: 2, status: 503, path: 'POST /', beganAt: 60_000, endedAt: 60_001 };
    watch.answered({ ...seen, code: 'clock-stepped' });
    assert.deepEqual(watch.unexplained, []);
    watch.answered({ ...seen, code: 'busy' });
    assert.equal(watch.unexplained.length, 1);
  });
});
