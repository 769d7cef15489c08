import assert from 'node:assert/strict';
import { firstOf } from './offers.ts';

const vectors = { id: 'hub/words', dimensions: { most: 256, shortens: true } };

describe('the model that a conversation begins with', () => {
  it('is none that makes vectors', () => {
    assert.equal(firstOf([{ id: 'hub/echo' }, vectors]), 'hub/echo');
    assert.equal(firstOf([vectors]), undefined);
  });

  it('is another one than the echo where there is one', () => {
    assert.equal(firstOf([vectors, { id: 'hub/echo' }, { id: 'own/slow' }]), 'own/slow');
  });
});
