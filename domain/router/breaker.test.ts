import assert from 'node:assert/strict';
import { instant } from '../instant.ts';
import { afterFault, onCall, rests, SOUND, type Breaker } from './breaker.ts';

const NOW = instant(1_800_000_000_000);

describe('router breaker', () => {
  it('closes after five faults, twice as long each time, up to ten minutes', () => {
    let breaker = SOUND;
    const rest: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      breaker = afterFault(breaker, NOW);
      rest.push(((breaker.restsUntil ?? NOW) - NOW) / 1000);
    }
    assert.deepEqual(rest, [0, 0, 0, 0, 30, 60, 120, 240, 480, 600, 600, 600]);
    assert.ok(rests(breaker, instant(NOW + 599_999)));
    assert.ok(!rests(breaker, instant(NOW + 600_000)));
  });

  it('lets one call try after a rest', () => {
    const rested: Breaker = { faults: 5, restsUntil: instant(NOW - 1) };
    assert.ok(!rests(rested, NOW));
    const trial = onCall(rested, NOW);
    assert.ok(rests(trial, instant(NOW + 24_999)));
    assert.ok(!rests(trial, instant(NOW + 25_000)));
    assert.equal(trial.faults, 5);
    assert.equal(onCall({ faults: 2 }, NOW).restsUntil, undefined);
  });
});
