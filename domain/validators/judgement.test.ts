import assert from 'node:assert/strict';
import { readJudgement, type Judgement } from './judgement.ts';

const read = (text: string): Judgement | string => readJudgement(new TextEncoder().encode(text));
const json = (value: unknown): Judgement | string => read(JSON.stringify(value));

describe('the answer of a judge', () => {
  it('is a vote when it begins with the whole word, in any case', () => {
    const votes = [
      ['accepted', 'accepted', ''],
      ['ACCEPTED - good work\nsecond line', 'accepted', 'good work'],
      ['  rejected, too short', 'rejected', 'too short'],
      ['Rejected .,:;!-\u2013 so', 'rejected', '\u2013 so'],
      ['accepted!', 'accepted', ''],
      ['rejected(no source)', 'rejected', '(no source)'],
      ['"rejected: as a JSON text"', 'rejected', 'as a JSON text'],
    ] as const;
    for (const [text, verdict, reason] of votes) {
      assert.deepEqual(read(text), { verdict, reason }, text);
    }
  });

  it('is no vote in other words', () => {
    const why = 'The answer is neither JSON with a verdict nor text that begins with one.';
    const texts = [
      '',
      'maybe',
      'I think it is accepted',
      'unaccepted',
      'acceptedly',
      'accepted1',
      'accepted_',
      'accepted\u00e9',
      '"maybe"',
      '{"verdict":"accepted"',
      '{"verdict":"accepted","verdict":"rejected"}',
    ];
    for (const text of texts) assert.equal(read(text), why, text);
  });

  it('is a vote as JSON with a verdict, and perhaps a reason', () => {
    const verdict = 'rejected';
    for (const reason of [undefined, null, '']) {
      assert.deepEqual(json({ verdict, reason }), { verdict, reason: '' });
    }
    assert.deepEqual(read('  {"verdict":"accepted","reason":"ok","score":3}\n'), {
      verdict: 'accepted',
      reason: 'ok',
    });
  });

  it('is no vote as JSON of another form', () => {
    const noObject = 'The answer is JSON, and no object with a verdict.';
    for (const value of [1, null, true, [], ['accepted'], [{ verdict: 'accepted' }]]) {
      assert.equal(json(value), noObject);
    }
    const noVerdict = 'The verdict is neither "accepted" nor "rejected".';
    for (const verdict of [undefined, null, 'maybe', 'Accepted', 'accepted ', true]) {
      assert.equal(json({ verdict, reason: 7 }), noVerdict);
    }
    for (const reason of [7, {}, ['x'], true]) {
      assert.equal(json({ verdict: 'accepted', reason }), 'The reason is no text.');
    }
  });

  it('may state a confidence from 0 to 1, which counts in basis points', () => {
    const verdict = 'accepted';
    const stated = [
      [0, 0],
      [0.00004, 0],
      [0.87656, 8_766],
      [1, 10_000],
    ] as const;
    for (const [confidence, confidenceBps] of stated) {
      assert.deepEqual(json({ verdict, confidence }), { verdict, reason: '', confidenceBps });
    }
    for (const confidence of [undefined, null]) {
      assert.deepEqual(json({ verdict, confidence }), { verdict, reason: '' });
    }
    for (const confidence of [-0.001, 1.001, 80, '0.5', true, {}]) {
      const why = 'The confidence is no number from 0 to 1.';
      assert.equal(json({ verdict, confidence }), why);
    }
  });

  it('has a reason of one plain line with at most 280 characters', () => {
    const reasons = [
      [' spaced ', 'spaced'],
      ['\n\n first\nsecond', 'first'],
      ['one\rtwo', 'one'],
      ['one\u2028two', 'one'],
      ['one\u2029two', 'one'],
      ['a\u0007b\u202ec', 'a b c'],
      ['\u0007 a \u0001', 'a'],
      ['y'.repeat(280), 'y'.repeat(280)],
      ['y'.repeat(281), `${'y'.repeat(279)}…`],
    ] as const;
    for (const [reason, kept] of reasons) {
      assert.deepEqual(json({ verdict: 'accepted', reason }), {
        verdict: 'accepted',
        reason: kept,
      });
    }
  });
});
