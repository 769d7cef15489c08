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
});
