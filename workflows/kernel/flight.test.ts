import assert from 'node:assert/strict';
import { openFlight } from './flight.ts';

const KB = 4_096;

describe('bytes in flight', () => {
  let ms = 0;
  const open = (address: number, process: number) => {
    ms = 0;
    const dropped: string[] = [];
    const flight = openFlight(() => ms, { address: address * KB, process: process * KB });
    const enter = (name: string, from: string) =>
      flight.enter(from, (whose) => dropped.push(`${name} ${whose}`));
    return { flight, enter, dropped };
  };

  it('drop the slowest of an address that is over its budget, and no other', () => {
    const { flight, enter, dropped } = open(100, 1_000);
    const other = enter('other', 'b');
    other.add(1 * KB);
    const slow = enter('slow', 'a');
    ms = 1_000;
    slow.add(40 * KB);
    const fast = enter('fast', 'a');
    ms = 1_001;
    fast.add(60 * KB);
    assert.deepEqual(dropped, []);
    fast.add(1 * KB);
    assert.deepEqual([dropped, flight.bytes], [['slow address'], 62 * KB]);
  });

  it('drop the slowest of all when the process is over its own', () => {
    const { flight, enter, dropped } = open(100, 150);
    const [a, b] = [enter('a', 'a'), enter('b', 'b')];
    ms = 1_000;
    a.add(80 * KB);
    b.add(70 * KB);
    enter('poll', 'c').add(0.1 * KB);
    enter('late', 'd').add(1 * KB);
    assert.deepEqual([dropped, Math.floor(flight.bytes / KB)], [['b process'], 81]);
    b.add(500 * KB);
    assert.equal(Math.floor(flight.bytes / KB), 81, 'who was dropped counts no more');
  });

  it('give everything back, once', () => {
    const { flight, enter } = open(100, 100);
    const held = enter('a', 'a');
    held.add(50 * KB);
    held.add(-20 * KB);
    assert.equal(flight.bytes, 30 * KB);
    held.leave();
    held.leave();
    assert.equal(flight.bytes, 0);
  });
});
