import assert from 'node:assert/strict';
import { accessText } from './access.ts';

describe('the word for the access of an agent', () => {
  const free = { name: 'a' };
  const priced = { name: 'b', price: { asset: 'USDC', amount: '1' } };

  it('does not call a seller with a price open', () => {
    assert.equal(accessText({ access: 'open', skills: [free, priced] }), 'sells some tools');
    assert.equal(accessText({ access: 'open', skills: [priced] }), 'sells some tools');
  });

  it('is the measured one for every other agent', () => {
    assert.equal(accessText({ access: 'open', skills: [free] }), 'open');
    assert.equal(accessText({ access: 'open', skills: [] }), 'open');
    assert.equal(accessText({ access: 'paid', skills: [priced] }), 'paid');
    assert.equal(accessText({ access: 'closed', skills: [priced] }), 'closed');
  });
});
