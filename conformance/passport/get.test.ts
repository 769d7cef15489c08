import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';
import { claim, list, openStreet, passportOf, prove, type Street } from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.get (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    before(async () => {
      street = await openStreet(await url());
    });
    after(() => street.close());

    it('takes the name of the account for the id of its key', async () => {
      const { alice } = street.world;
      mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId }));
      for (const below of ['', '/karma', '/claimable']) {
        const [bare, named] = [alice.keyId, alice.account, encodeURIComponent(alice.account)].map(
          (name) => `/api/v1/passport/${name}${below}`,
        );
        const expected = mustOk(await street.world.anyone.get(bare ?? ''));
        assert.deepEqual(mustOk(await street.world.anyone.get(named ?? '')), expected);
      }
      const twice = `/api/v1/passport/key:${alice.account}`;
      mustRefuse(await street.world.anyone.get(twice), 400, 'bad-account');
    });

    it('shows domains, listings and karma as they stand', async () => {
      const { world, homes } = street;
      const { alice, hub } = world;
      const [first, second] = [hub.clock.now(), hub.clock.now() + 60_000];
      const id = await list(world, homes[0], ['one'], { listing: { name: 'Reader' } });
      await prove(alice, homes[0]);
      hub.clock.advance(60);
      await prove(alice, homes[1]);
      mustOk(await claim(alice));
      const passport = await passportOf(world, alice);
      const shown = (time: number): string => new Date(time).toISOString();
      const badge = (place: number, time: number) => ({
        domain: homes[place]?.site.pair,
        method: 'well-known',
        provedAt: shown(time),
        lastConfirmedAt: shown(time),
        nextCheckAt: shown(time + 86_400_000),
      });
      assert.deepEqual(passport['domains'], [badge(0, first), badge(1, second)]);
      assert.deepEqual(passport['listings'], [
        {
          id,
          kind: 'mcp',
          name: 'Reader',
          origin: homes[0].site.url,
          endpoint: homes[0].endpoint,
          availability: 'live',
          verification: 'well-known',
          claimedAt: shown(second),
        },
      ]);
      assert.deepEqual(passport['karma'], { total: 5, tier: 'new' });
      const { listings } = mustOk(await alice.get('/api/v1/me'));
      assert.deepEqual([at(listings, 0, 'id'), at(listings, 0, 'hosted')], [id, false]);
      const record = mustOk(await world.anyone.get(`/api/v1/agents/${alice.keyId}`));
      assert.equal(record['id'], id, 'the key finds the listing');
    });

    it('refuses a key without a passport, and what is no key', async () => {
      const { anyone, bob } = street.world;
      mustOk(await bob.get('/api/v1/me'));
      const refused = await anyone.get(`/api/v1/passport/${bob.keyId}`);
      assert.match(String(mustRefuse(refused, 404, 'not-found')['hint']), /karma/);
      mustRefuse(await anyone.get('/api/v1/passport/nobody'), 400, 'bad-account');
    });
  });
}
