import assert from 'node:assert/strict';
import { costSoFar } from './cost.ts';

describe('the running cost of a conversation', () => {
  it('is that of the characters as tokens, rounded up to a unit', () => {
    const price = { input: '2', output: '10' };
    assert.equal(costSoFar(price, [{ content: 'x'.repeat(400) }], ''), '0.0002 USDC');
    assert.equal(costSoFar(price, [], 'x'.repeat(41)), '0.000103 USDC');
    assert.equal(costSoFar(price, [], ''), '0.00 USDC');
  });

  it('is at most that of an answer of all tokens that were allowed', () => {
    const price = { input: '2', output: '10' };
    assert.equal(costSoFar(price, [{ content: 'xxxx' }], '', 400), '0.004002 USDC');
  });
});
