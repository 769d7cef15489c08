import assert from 'node:assert/strict';
import { sha256Hex } from '../digest.ts';
import { judgeTrial, PAPER_BYTES, trialPaper } from './trial.ts';

const paperOf = (seed: number) =>
  trialPaper(
    Uint8Array.from({ length: PAPER_BYTES }, (_, place) => (seed * 37 + place * 101) % 256),
  );

describe('trial papers', () => {
  it('are the same for the same chance, and another for another', () => {
    assert.deepEqual(paperOf(1), paperOf(1));
    const texts = new Set(Array.from({ length: 200 }, (_, seed) => paperOf(seed).text));
    assert.ok(texts.size > 190);
  });

  it('say each of their answers, the date in words and the digest not at all', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const { text, answers } = paperOf(seed);
      const { digest, issued, ...said } = answers;
      for (const answer of Object.values(said)) assert.ok(text.includes(answer), answer);
      assert.ok(!text.includes(digest) && !text.includes(issued));
      assert.equal(digest, sha256Hex(text));
      assert.match(issued, /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$/);
      assert.match(answers.total, /^[1-9]\d*\.\d\d$/);
    }
  });

  it('are passed by all answers, and by nothing that lacks or changes one', () => {
    const { answers } = paperOf(7);
    assert.deepEqual(judgeTrial(answers, { ...answers, more: 1 }), { accepted: true });
    for (const name of Object.keys(answers)) {
      for (const value of ['x', 5, null, undefined]) {
        const verdict = judgeTrial(answers, { ...answers, [name]: value });
        assert.ok(!verdict.accepted);
        assert.deepEqual(
          verdict.refused.map(({ path }) => path),
          [`/${name}`],
        );
      }
    }
    for (const result of [null, 'text', [], 3]) {
      assert.ok(!judgeTrial(answers, result).accepted);
    }
  });
});
