import assert from 'node:assert/strict';
import { usdc } from '../format.ts';
import { blindsText } from './chips.ts';

describe('blinds of a table', () => {
  it('are money at a cash table', () => {
    const blinds = { format: 'cash', smallBlind: '500', bigBlind: '1000' } as const;
    assert.equal(blindsText(blinds), `${usdc('500')} / ${usdc('1000')}`);
  });

  it('are numbers of chips in a tournament', () => {
    const blinds = { format: 'sng', smallBlind: '600', bigBlind: '1200' } as const;
    assert.equal(blindsText(blinds), '600 / 1,200');
  });
});
