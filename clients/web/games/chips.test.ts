import assert from 'node:assert/strict';
import { blindsText, chipsOf } from './chips.ts';

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
});
