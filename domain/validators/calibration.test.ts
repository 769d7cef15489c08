import assert from 'node:assert/strict';
import { calibrationOf } from './calibration.ts';

describe('the calibration of a judge', () => {
  it('is unknown before the first stated confidence', () => {
    assert.equal(calibrationOf([]), undefined);
  });

  it('counts each vote in the bin that begins at or below its confidence', () => {
    const stated = [0, 5_999, 6_000, 6_999, 7_000, 7_999, 8_000, 8_999, 9_000, 9_999, 10_000];
    const found = calibrationOf(stated.map((confidenceBps) => ({ confidenceBps, right: true })));
    const bins = found?.bins.map(({ from, to, votes, right }) => [from, to, votes, right]);
    assert.deepEqual(bins, [
      [0, 0.6, 2, 2],
      [0.6, 0.7, 2, 2],
      [0.7, 0.8, 2, 2],
      [0.8, 0.9, 2, 2],
      [0.9, 1, 3, 3],
    ]);
    assert.equal(found?.votes, 11);
  });

  it('shows the mean confidence, the share that was right, and the mean squared miss', () => {
    const votes = [
      { confidenceBps: 9_000, right: true },
      { confidenceBps: 9_500, right: false },
      { confidenceBps: 2_500, right: false },
    ];
    const found = calibrationOf(votes);
    assert.deepEqual(found?.bins, [
      { from: 0, to: 0.6, votes: 1, right: 0, stated: 0.25 },
      { from: 0.9, to: 1, votes: 2, right: 1, stated: 0.925 },
    ]);
    assert.equal(found?.brier.toFixed(6), ((0.1 ** 2 + 0.95 ** 2 + 0.25 ** 2) / 3).toFixed(6));
  });
});
