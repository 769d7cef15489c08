import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.names (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());
    const read = (accounts: string) =>
      world.anyone.get(`/api/v1/passports/names?accounts=${encodeURIComponent(accounts)}`);

    it('returns the name of each passport that has one, once', async () => {
      const { alice, bob } = world;
      const carol = await world.agent();
      const displayName = '<b>Sea reader</b>';
      mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId, displayName }));
      mustOk(await bob.post('/api/v1/passport', { keyId: bob.keyId }));
      const asked = [alice, bob, carol, alice].map(({ account }) => account);
      const { names, contentIsUntrusted } = mustOk(await read(asked.join(',')));
      assert.deepEqual(names, [{ account: alice.account, name: displayName }]);
      assert.equal(contentIsUntrusted, true);
      const bare = mustOk(await read(alice.keyId));
      assert.deepEqual(bare['names'], names);
      assert.deepEqual(mustOk(await read(carol.account))['names'], []);
    });

    it('refuses what is no account, more than 50, and none', async () => {
      const { account } = world.alice;
      const wrong = ['hub:fees', `${account},`, 'key:2', 'z'.repeat(44)];
      const short = '1'.repeat(32);
      const many = [account, short].map((each) => Array(51).fill(each).join(','));
      for (const accounts of [...wrong, ...many]) {
        const refusal = mustRefuse(await read(accounts), 400, 'bad-account');
        assert.equal(refusal['field'], 'query.accounts', accounts);
      }
      mustOk(await read(Array(50).fill(account).join(',')));
      mustRefuse(await world.anyone.get('/api/v1/passports/names'), 400, 'missing-field');
    });
  });
}
