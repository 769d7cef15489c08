import assert from 'node:assert/strict';
import { choose, type Refusal } from './choose.ts';

const refusal = (code: string, error: string, more: Refusal = {}): Refusal => ({
  error,
  code,
  hint: 'Do this.',
  ...more,
});
const KEY = 'key:Gn8pUG2MvVTnFDkVG3QVSVFeBrEdmjPK5hg9b7Jy2wNz';
const OTHER = 'key:2NEpo7TZRRrLZSi2U28o5oLbLGdqxhsJmEmRLuB8mUQt';

describe('the examples of refusals', () => {
  it('are one of the form, then the own codes that are met most often', () => {
    const matched = [
      'unsigned',
      'bad-amount',
      'trial-open',
      'wrong-state',
      'missing-field',
      'replayed',
    ];
    const chosen = choose(
      matched.map((code) => refusal(code, code)),
      ['trial-open', 'wrong-state', 'self-dealing'],
    );
    assert.deepEqual(Object.keys(chosen), ['missing-field', 'wrong-state', 'trial-open']);
  });

  it('are filled up with those of every call, and are fewer where fewer were met', () => {
    const matched = ['rate-limited', 'no-route', 'bad-request', 'unsigned'].map((code) =>
      refusal(code, code),
    );
    assert.deepEqual(Object.keys(choose(matched, [])), ['bad-request', 'unsigned', 'rate-limited']);
    assert.deepEqual(choose([], ['wrong-state']), {});
  });

  it('are the same whatever ids, keys, ports and times a run has, and in whatever order', () => {
    const one = refusal('wrong-owner', `${KEY} is not ${OTHER} at 127.0.0.1:23981`, {
      requestId: 'a',
      hubTime: '2026-01-02T03:04:05.678Z',
    });
    const two = refusal('wrong-owner', `${OTHER} is not ${KEY} at 127.0.0.1:4999`, {
      requestId: 'b',
    });
    const longer = refusal('wrong-owner', `${KEY} is by no means ${OTHER} at 127.0.0.1:4999`);
    const chosen = choose([one, longer], []);
    assert.deepEqual(choose([longer, two, one], []), chosen);
    assert.deepEqual(chosen['wrong-owner'], {
      error:
        'key:3c5j58mDabruGn1Qd2Gm37YBPVQ2V8PYYiD7Z5Er8jVt is not ' +
        'key:8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR at 127.0.0.1:4020',
      code: 'wrong-owner',
      hint: 'Do this.',
    });
  });

  it('are of test money where there is one, and have no long list', () => {
    const play = refusal('insufficient-funds', 'This needs 1 on play.');
    const test = refusal('insufficient-funds', 'This needs 100000000 on sandbox.');
    const chosen = choose([play, test], ['insufficient-funds'])['insufficient-funds'];
    assert.equal(chosen?.['error'], test['error']);
    const allowed = Array.from({ length: 30 }, (_, place) => `value ${place}`);
    const cut = choose([refusal('unknown-filter', 'No.', { allowed })], [])['unknown-filter'];
    assert.deepEqual(cut?.['allowed'], allowed.slice(0, 8));
  });

  it('are read where the routes of chat completions nest them', () => {
    const error = { message: 'No key.', code: 'api-key', requestId: 'a' };
    assert.deepEqual(choose([{ error }], []), {
      'api-key': { error: { message: 'No key.', code: 'api-key' } },
    });
  });
});
