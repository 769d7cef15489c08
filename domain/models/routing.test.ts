import assert from 'node:assert/strict';
import { ECHO } from './echo.ts';
import type { Offer, Provider } from './offer.ts';
import { routed } from './routing.ts';

const [HUB] = ECHO.providers;
assert.ok(HUB !== undefined);
const provider = (name: string, price: bigint): Provider => ({
  ...HUB,
  name,
  price: { input: price, output: price * 2n },
});
const ONE: Offer = { ...ECHO, id: 'a/one', providers: [provider('x', 1n), provider('y', 2n)] };
const OTHER: Offer = {
  ...ECHO,
  id: 'a/two',
  contextLength: 100,
  backend: 'local',
  parameters: ['seed', 'tools'],
  reads: { image: 5 },
  providers: [provider('x', 3n)],
};
const names = (offer: Offer | undefined): readonly string[] =>
  (offer?.providers ?? []).map(({ name, offerId }) => `${offerId ?? ''} ${name}`);

describe('the providers of a call', () => {
  it('come in the order that is wished for, then as they were', () => {
    assert.deepEqual(names(routed([ONE], {})), ['a/one x', 'a/one y']);
    assert.deepEqual(names(routed([ONE], { order: ['y', 'none'] })), ['a/one y', 'a/one x']);
    assert.deepEqual(names(routed([ONE, OTHER], { order: ['y'] })), [
      'a/one y',
      'a/one x',
      'a/two x',
    ]);
  });

  it('are those that are named and cheap enough; none is no offer', () => {
    assert.deepEqual(names(routed([ONE], { only: ['y'] })), ['a/one y']);
    assert.deepEqual(names(routed([ONE, OTHER], { maxPrice: { input: 1n } })), ['a/one x']);
    assert.deepEqual(names(routed([ONE], { maxPrice: { output: 4n } })), ['a/one x', 'a/one y']);
    assert.equal(routed([ONE], { maxPrice: { output: 1n } }), undefined);
    assert.equal(routed([ONE], { only: ['z'] }), undefined);
    assert.equal(routed([], {}), undefined);
  });

  it('share one offer of what all of their models take', () => {
    const { id, contextLength, backend, parameters, reads } = routed([ONE, OTHER], {}) ?? ECHO;
    assert.deepEqual(
      [id, contextLength, backend, parameters, reads],
      ['a/one', 100, 'upstream', ['seed'], {}],
    );
  });
});
