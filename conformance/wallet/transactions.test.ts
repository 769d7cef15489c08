import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';

describe('wallet.transactions', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    for (let count = 0; count < 3; count += 1) await world.fund(world.alice, '10');
  });
  after(() => world.close());

  for (const query of ['', '?limit=2', '?limit=1&after=3', '?network=play']) {
    it(`answers what the statement answers: ${query || 'plain'}`, async () => {
      const { alice } = world;
      const statement = mustOk(await alice.get(`${walletPath(alice)}/statement${query}`));
      const alias = mustOk(await alice.get(`${walletPath(alice)}/transactions${query}`));
      assert.deepEqual(alias, statement);
    });
  }

  it('refuses an unknown network', async () => {
    const { alice } = world;
    const answer = await alice.get(`${walletPath(alice)}/transactions?network=moon`);
    mustRefuse(answer, 400, 'network-unknown');
  });

  onlyTheOwner(() => world, 'GET', '/transactions');
});
