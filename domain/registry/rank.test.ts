import assert from 'node:assert/strict';
import { byKarma } from '../search/rank.ts';
import { reachOf } from './rank.ts';

const LIVE = {
  availability: 'live',
  uptimeBps: 9_900,
  skillsPriced: 1,
  quotesX402: false,
  calls30d: 0,
  injectionSignals: [],
} as const;

describe('the order of the registry', () => {
  it('ranks a flagged listing below its equals, and above what answers less', () => {
    const flagged = reachOf({ ...LIVE, injectionSignals: ['override'] });
    assert.ok(flagged < reachOf(LIVE));
    assert.ok(flagged > reachOf({ ...LIVE, uptimeBps: 9_700 }));
    const found = [
      { karma: 3, reach: flagged, score: 900 },
      { karma: 3, reach: reachOf(LIVE), score: 900 },
    ];
    assert.deepEqual(
      found.sort(byKarma).map(({ reach }) => reach),
      [reachOf(LIVE), flagged],
    );
  });

  it('compares what answers first, then uptime, prices, quotes and calls', () => {
    const least = { ...LIVE, uptimeBps: 0, skillsPriced: 0, injectionSignals: ['x'] };
    const most = { ...LIVE, uptimeBps: 10_000, skillsPriced: 20, quotesX402: true, calls30d: 1 };
    const ascending = [
      { ...most, availability: 'unreachable' },
      { ...least, availability: 'unknown' },
      { ...most, availability: 'unknown' },
      { ...least, availability: 'unstable' },
      { ...most, availability: 'unstable' },
      least,
      { ...most, uptimeBps: 9_899 },
      { ...least, uptimeBps: 9_900 },
      { ...most, uptimeBps: 9_900, skillsPriced: 0 },
      { ...least, uptimeBps: 9_900, skillsPriced: 1 },
      { ...least, uptimeBps: 9_900, skillsPriced: 1, calls30d: 1 },
      { ...least, uptimeBps: 9_900, skillsPriced: 1, quotesX402: true },
      { ...most, uptimeBps: 9_900, skillsPriced: 1 },
      { ...least, uptimeBps: 9_900, skillsPriced: 2 },
    ] as const;
    const reaches = ascending.map(reachOf);
    assert.deepEqual(
      reaches,
      [...new Set(reaches)].sort((a, b) => a - b),
    );
  });

  it('counts neither the twenty-first price, nor a second call, nor a part of a percent', () => {
    const full = { ...LIVE, skillsPriced: 20, calls30d: 1 };
    assert.equal(reachOf({ ...full, skillsPriced: 21 }), reachOf(full));
    assert.ok(reachOf({ ...full, skillsPriced: 19 }) < reachOf(full));
    assert.equal(reachOf({ ...full, calls30d: 9 }), reachOf(full));
    assert.equal(reachOf({ ...full, uptimeBps: 9_999 }), reachOf(full));
    const silent = ['not-speaking', 'unreachable'] as const;
    const [one, other] = silent.map((availability) => reachOf({ ...LIVE, availability }));
    assert.equal(one, other);
  });
});
