import assert from 'node:assert/strict';
import { openNotifications } from '../../db/notifications.ts';
import { openNotifier } from './notifier.ts';

const SOON_MS = 5;
const LONG_MS = 60_000;
const MANY = 40_000;
const MESSAGE_BYTES = 4_000;
const MB = 1_048_576;

function opened(topicsMax?: number) {
  const topics = openNotifications((error) => {
    throw error;
  });
  const notifier = openNotifier({ onPublish: topics.listen }, topicsMax);
  return { notifier, ring: (topic: string) => topics.publish(topic, true) };
}

describe('who waits for a topic', () => {
  it('is woken by it alone, and at once by what rang since it read', async () => {
    const { notifier, ring } = opened();
    const since = notifier.published('a');
    ring('b');
    assert.equal(await notifier.wait('a', since, SOON_MS), false);
    const woken = notifier.wait('a', since, LONG_MS);
    ring('a');
    assert.equal(await woken, true);
    assert.equal(await notifier.wait('a', since, LONG_MS), true);
    assert.equal(await notifier.wait('a', notifier.published('a'), SOON_MS), false);
    assert.equal(notifier.waiting('a'), 0);
  });

  it('is answered early when it leaves, and when the hub ends', async () => {
    const { notifier } = opened();
    const gone = new AbortController();
    const left = notifier.wait('a', notifier.published('a'), LONG_MS, gone.signal);
    const asleep = notifier.wait('a', notifier.published('a'), LONG_MS);
    assert.equal(notifier.waiting('a'), 2);
    gone.abort();
    notifier.releaseAll();
    assert.deepEqual(await Promise.all([left, asleep]), [false, false]);
    assert.equal(notifier.waiting('a'), 0);
  });

  it('sleeps through nothing, however many other topics were asked about meanwhile', async () => {
    const { notifier, ring } = opened(2);
    const since = notifier.published('a');
    for (const topic of ['b', 'c', 'd']) notifier.published(topic);
    ring('a');
    assert.equal(await notifier.wait('a', since, LONG_MS), true);
    const again = notifier.published('a');
    for (const topic of ['b', 'c', 'd']) notifier.published(topic);
    assert.equal(await notifier.wait('a', again, SOON_MS), false);
  });

  it('costs no memory for topics without a listener', async () => {
    const { notifier, ring } = opened();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < MANY; n += 1) {
      ring(Buffer.alloc(MESSAGE_BYTES, `${n} `).toString('latin1'));
      if (n % 2 === 0) await notifier.wait(`table ${n}`, 0, LONG_MS, AbortSignal.abort());
    }
    const grown = (process.memoryUsage().heapUsed - before) / MB;
    assert.ok(grown < (MANY * MESSAGE_BYTES) / MB / 2, `${grown.toFixed(0)} MB are kept`);
  });
});
