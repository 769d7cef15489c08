import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { closing, MARKETS, newMarket, onEachDatabase, type Body } from './_markets.ts';

onEachDatabase('predictions.rehearse', (world) => {
  const GOOD = 'Will https://example.org/answer read yes at 2026-12-01 12:00 UTC?';
  const rehearse = (over: Body) =>
    world().anyone.post(`${MARKETS}/rehearse`, {
      question: GOOD,
      source: 'https://example.org/answer, first line',
      closesAt: closing(world()),
      ...over,
    });
  const concerns = async (over: Body): Promise<readonly unknown[]> =>
    (mustOk(await rehearse(over))['advice'] as Body[]).map(({ concern }) => concern);

  it('says what a judge would miss, and takes and stores nothing', async () => {
    assert.deepEqual(await concerns({}), []);
    assert.deepEqual(await concerns({ source: 'the news' }), ['source']);
    assert.deepEqual(await concerns({ question: 'Will the release be popular?' }), [
      'moment',
      'two-answers',
    ]);
    assert.deepEqual(mustOk(await world().anyone.get(MARKETS))['count'], 0);
  });

  it('names an open market that asks nearly the same', async () => {
    const id = await newMarket(world(), { question: GOOD.toLowerCase() });
    const { advice } = mustOk(await rehearse({}));
    assert.deepEqual(
      (advice as Body[]).map(({ marketId }) => marketId),
      [id],
    );
    assert.deepEqual(await concerns({ network: 'base' }), []);
  });

  it('refuses what a listing would refuse', async () => {
    mustRefuse(await rehearse({ closesAt: closing(world(), -1) }), 400, 'deadline');
    mustRefuse(await rehearse({ network: 'moon' }), 400, 'network-unknown');
    const check = { metric: 'btc.price', op: 'gt', value: '1' };
    mustRefuse(await rehearse({ check }), 400, 'bad-check');
  });
});
