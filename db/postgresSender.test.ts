import assert from 'node:assert/strict';
import { openSender } from './postgresSender.ts';

const failed = (error: unknown): void => assert.fail(String(error));

describe('the sender of topics on PostgreSQL', () => {
  it('sends each topic once for many commits, and all that waits before it closes', async () => {
    const sent: (readonly string[])[] = [];
    const sender = openSender((topics) => Promise.resolve(sent.push(topics)), failed);
    for (let nth = 0; nth < 100; nth += 1) sender.add(`topic ${nth % 3}`);
    await sender.close();
    sender.add('too late');
    assert.deepEqual(sent, [['topic 0', 'topic 1', 'topic 2']]);
  });

  it('sends topics that come while it sends in a notification of their own', async () => {
    const sent: (readonly string[])[] = [];
    const sender = openSender((topics) => {
      if (sent.push(topics) === 1) sender.add('second');
      return Promise.resolve();
    }, failed);
    sender.add('first');
    while (sent.length < 2) await new Promise(setImmediate);
    await sender.close();
    assert.deepEqual(sent, [['first'], ['second']]);
  });

  it('reports a notification that fails, keeps a bound, and sends what comes later', async () => {
    const errors: unknown[] = [];
    const sizes: number[] = [];
    const send = (topics: readonly string[]): Promise<void> =>
      sizes.push(topics.length) === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
    const sender = openSender(send, (error) => errors.push(error));
    for (let nth = 0; nth < 20_000; nth += 1) sender.add(`topic ${nth}`);
    while (errors.length === 0) await new Promise(setImmediate);
    sender.add('later');
    await sender.close();
    assert.deepEqual(sizes, [10_000, 1]);
    assert.match(String(errors[0]), /away/);
  });
});
