import assert from 'node:assert/strict';
import { nearestName } from './nearest.ts';

const KNOWN = ['requester', 'title', 'description', 'rewardAmount', 'deadline', 'maxAttempts'];

describe('the name that an unknown one stands for', () => {
  const typos: Readonly<Record<string, string | undefined>> = {
    rewardamount: 'rewardAmount',
    reward_amount: 'rewardAmount',
    amount: 'rewardAmount',
    reward: 'rewardAmount',
    'max-attempts': 'maxAttempts',
    attempts: 'maxAttempts',
    titel: 'title',
    desciption: 'description',
    deadlines: 'deadline',
    requestor: 'requester',
    colour: undefined,
    x: undefined,
    '': undefined,
  };
  for (const [typo, name] of Object.entries(typos)) {
    it(`is ${name ?? 'none'} for "${typo}"`, () => assert.equal(nearestName(typo, KNOWN), name));
  }

  it('is none for a long text, and takes no time', () => {
    const began = performance.now();
    const known = Array.from({ length: 200 }, (_, n) => `${'n'.repeat(39)}${n % 10}`);
    assert.equal(nearestName('x'.repeat(1_000_000), known), undefined);
    assert.equal(nearestName('x'.repeat(40), known), undefined);
    assert.ok(performance.now() - began < 200);
  });
});
