import assert from 'node:assert/strict';
import { NETWORK_IDS, parseNetworkId } from './network.ts';

describe('a network id', () => {
  it('is one of those that the hub knows', () => {
    assert.deepEqual(NETWORK_IDS.map(parseNetworkId), ['sandbox', 'base', 'play']);
    for (const text of ['', 'Base', 'base ', 'ethereum'])
      assert.equal(parseNetworkId(text), undefined);
  });
});
