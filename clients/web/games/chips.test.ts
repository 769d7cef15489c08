import assert from 'node:assert/strict';
import { blindsText, chipsOf, sizeByPot } from './chips.ts';

describe('chips of a table', () => {
  it('are counted and never written as money, at a cash table too', () => {
    const cash = { format: 'cash', smallBlind: '5000', bigBlind: '10000' } as const;
    assert.equal(blindsText(cash), '5,000 / 10,000');
    assert.equal(blindsText({ smallBlind: '600', bigBlind: '1200' }), '600 / 1,200');
  });

  it('are read with and without commas, and nothing else is a number of chips', () => {
    for (const [text, chips] of [
      ['1,200', '1200'],
      [' 0040 ', '40'],
      ['0.5', undefined],
      ['-1', undefined],
      ['', undefined],
    ] as const) {
      assert.equal(chipsOf(text), chips);
    }
  });

  it('follow a call when a raise is of the pot, and stay within the limits', () => {
    const limits = { minimum: '2000', maximum: '39000' };
    const open = { pot: 2500n, highest: 0n, own: 0n };
    assert.equal(sizeByPot(open, 2n, limits), '2500');
    assert.equal(sizeByPot(open, 1n, limits), '2000');
    const raised = { pot: 6000n, highest: 3000n, own: 1000n };
    assert.equal(sizeByPot(raised, 2n, limits), '11000');
    assert.equal(sizeByPot(raised, 1n, limits), '7000');
    assert.equal(sizeByPot({ ...raised, pot: 60_000n }, 2n, limits), '39000');
  });
});
