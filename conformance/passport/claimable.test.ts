import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';
import { claim, list, openStreet, prove, type Body, type Street } from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.claimable (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    before(async () => {
      street = await openStreet(await url());
    });
    after(() => street.close());
    const read = async (keyId: string): Promise<Body> =>
      mustOk(await street.world.anyone.get(`/api/v1/passport/${keyId}/claimable`));

    it('lists unheld listings on proved domains, the longest known first', async () => {
      const { world, homes } = street;
      const { alice, bob } = world;
      const later = await list(world, homes[0], ['one']);
      const endpoint = `${homes[0].site.url}/old`;
      const older = { id: 'a'.repeat(16), endpoint, group: endpoint };
      await list(world, { endpoint }, ['two'], { listing: older });
      await list(world, homes[1], ['three'], { holder: bob });
      await list(world, homes[2], ['four']);
      mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId }));
      const before = await read(alice.keyId);
      assert.deepEqual([before['count'], at(before, 'next', 0, 'action')], [0, 'passport.verify']);

      await prove(alice, homes[0]);
      await prove(alice, homes[1]);
      const found = await read(alice.keyId);
      const listings = found['listings'] as Body[];
      assert.deepEqual(listings.map(({ id }) => id).sort(), [older.id, later].sort());
      assert.deepEqual(
        listings.map(({ domain, karma }) => [domain, karma]),
        [1, 2].map(() => [homes[0].site.pair, 0]),
      );
      const { method, path, body } = at(found, 'next', 0, 'call') as Body;
      assert.equal(method, 'POST');
      const taken = mustOk(await alice.post(String(path), body));
      assert.equal(taken['count'], 2);
      assert.equal((await read(alice.keyId))['count'], 0);
      assert.equal(mustOk(await claim(alice))['count'], 0, 'nothing to take is no error');
    });

    it('refuses a key without a passport', async () => {
      const { anyone, bob } = street.world;
      mustRefuse(await anyone.get(`/api/v1/passport/${bob.keyId}/claimable`), 404, 'not-found');
    });
  });
}
