import { deepEqual, equal } from 'node:assert/strict';
import { FairQueue, type Asker } from './fairQueue.ts';

interface Job {
  readonly name: string;
  readonly from: Asker;
}
const job = (name: string, ip: string, account?: string): Job => ({
  name,
  from: { ip, ...(account !== undefined && { account }) },
});
const names = (queue: FairQueue<Job>): readonly (string | undefined)[] =>
  Array.from({ length: queue.length }, () => queue.take(false)?.name);

describe('the queue of checks', () => {
  it('serves addresses in turn, and the accounts of one address in turn', () => {
    const queue = new FairQueue<Job>(20);
    for (const each of ['a1', 'a2', 'a3']) queue.add(job(each, 'a'));
    for (const each of ['x1', 'x2']) queue.add(job(each, 'a', 'x'));
    queue.add(job('b1', 'b', 'x'));
    deepEqual(names(queue), ['a1', 'b1', 'x1', 'a2', 'x2', 'a3']);
  });

  it('gives an address no second turn for having many accounts', () => {
    const queue = new FairQueue<Job>(200);
    for (let nth = 0; nth < 100; nth += 1) queue.add(job(`a${nth}`, 'a', `account-${nth}`));
    queue.add(job('b1', 'b'));
    queue.add(job('b2', 'b'));
    deepEqual(names(queue).slice(0, 4), ['a0', 'b1', 'a1', 'b2']);
  });

  it('refuses the newest job of the longest line when it is full', () => {
    const queue = new FairQueue<Job>(3);
    for (const each of ['a1', 'a2', 'a3']) equal(queue.add(job(each, 'a')), undefined);
    equal(queue.add(job('b1', 'b'))?.name, 'a3');
    equal(queue.add(job('a4', 'a'))?.name, 'a4');
    deepEqual(names(queue), ['a1', 'b1', 'a2']);
    equal(queue.length, 0);
  });

  it('passes over an address whose last check was slow where only quick ones are served', () => {
    const queue = new FairQueue<Job>(5);
    queue.add(job('a1', 'a'));
    queue.add(job('b1', 'b'));
    queue.noteEnd({ ip: 'a' }, true);
    equal(queue.take(true)?.name, 'b1');
    equal(queue.take(true), undefined);
    queue.noteEnd({ ip: 'a' }, false);
    equal(queue.take(true)?.name, 'a1');
  });

  it('puts a job back at the end of its line, beyond the limit', () => {
    const queue = new FairQueue<Job>(2);
    queue.add(job('a1', 'a'));
    queue.add(job('a2', 'a'));
    const first = queue.take(false);
    equal(queue.add(job('a3', 'a')), undefined);
    if (first !== undefined) queue.putBack(first);
    deepEqual(names(queue), ['a2', 'a3', 'a1']);
  });

  it('hands over all that waits', () => {
    const queue = new FairQueue<Job>(5);
    queue.add(job('a1', 'a'));
    queue.add(job('b1', 'b', 'x'));
    deepEqual(
      queue.drain().map(({ name }) => name),
      ['a1', 'b1'],
    );
    deepEqual([queue.length, queue.take(false)], [0, undefined]);
  });
});
