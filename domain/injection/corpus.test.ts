import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { addressingPhrases } from './detect.ts';

/**
 * The published corpus. Every second text of a kind is held out: patterns were never changed for
 * one. One author wrote texts and patterns, so texts of others will be found less often.
 */
interface Sample {
  readonly set: 'tuned' | 'held-out';
  readonly text: string;
}

function samples(name: 'hostile' | 'honest'): readonly Sample[] {
  const file = new URL(`../../spec/vectors/injection/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Sample[];
}

const flagged = (given: readonly Sample[]): number =>
  given.filter(({ text }) => addressingPhrases(text).length > 0).length;

describe('corpus: hostile and honest texts (choices registry.signals)', () => {
  it('has at least 200 of each, no text twice, half of them held out', () => {
    for (const name of ['hostile', 'honest'] as const) {
      const all = samples(name);
      assert.ok(all.length >= 200);
      assert.equal(new Set(all.map(({ text }) => text)).size, all.length);
      const held = all.filter(({ set }) => set === 'held-out').length;
      assert.ok(Math.abs(held - all.length / 2) <= 8);
    }
  });

  for (const [set, recallMin, alarmsMax] of [
    ['tuned', 0.95, 0.01],
    ['held-out', 0.9, 0.01],
  ] as const) {
    it(`finds the hostile and leaves the honest alone: ${set}`, () => {
      const [hostile, honest] = (['hostile', 'honest'] as const).map((name) =>
        samples(name).filter((sample) => sample.set === set),
      );
      assert.ok(hostile !== undefined && honest !== undefined);
      const recall = flagged(hostile) / hostile.length;
      const alarms = flagged(honest) / honest.length;
      const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
      console.log(`        recall ${percent(recall)}, false alarms ${percent(alarms)}`);
      assert.ok(recall >= recallMin);
      assert.ok(alarms <= alarmsMax);
    });
  }
});
