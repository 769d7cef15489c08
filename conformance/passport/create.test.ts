import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { joinAccount } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';

for (const [name, url] of DATABASES) {
  describe(`passport.create (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
    });
    after(() => world.close());

    it('makes the passport of the key that signs, and everybody reads it', async () => {
      const { alice } = world;
      const made = mustOk(await alice.post('/api/v1/passport', { keyId: alice.keyId }));
      const { contentIsUntrusted, contentNote, ...rest } = made;
      assert.deepEqual([contentIsUntrusted, typeof contentNote], [true, 'string']);
      assert.deepEqual(rest, {
        keyId: alice.keyId,
        owner: alice.account,
        keyLive: true,
        domains: [],
        listings: [],
        karma: { total: 0, tier: 'new' },
        createdAt: new Date(world.hub.clock.now()).toISOString(),
      });
      const read = mustOk(await world.anyone.get(`/api/v1/passport/${alice.keyId}`));
      assert.deepEqual(read, made);
    });

    it('changes what is given, and keeps the rest and its date', async () => {
      const agent = await world.agent();
      const path = '/api/v1/passport';
      const { keyId } = agent;
      const first = mustOk(await agent.post(path, { keyId, displayName: 'Price reader' }));
      world.hub.clock.advance(60);
      const second = mustOk(await agent.post(path, { keyId, bio: 'Reads prices.\u2028Ünd mehr.' }));
      assert.deepEqual(second, { ...first, bio: 'Reads prices.\u2028Ünd mehr.' });
      const third = mustOk(await agent.post(path, { keyId, displayName: 'Reader' }));
      assert.deepEqual(third, { ...second, displayName: 'Reader' });
    });

    it('is live until its key is revoked, which then makes none and lists no agent', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      mustOk(await joinAccount(owner, second));
      const { keyId } = second;
      assert.equal(mustOk(await owner.post('/api/v1/passport', { keyId }))['keyLive'], true);
      mustOk(await owner.post(`/api/v1/wallet/${owner.account}/keys/${keyId}/revoke`));
      const read = mustOk(await world.anyone.get(`/api/v1/passport/${keyId}`));
      assert.equal(read['keyLive'], false);
      const again = mustRefuse(
        await owner.post('/api/v1/passport', { keyId }),
        400,
        'key-not-bound',
      );
      assert.match(String(again['error']), /was revoked or expired at 20/);
      const tools = [{ name: 'read', description: 'Reads.' }];
      const agent = { owner: owner.account, keyId, endpoint: 'https://agent.example/mcp', tools };
      mustRefuse(await owner.post('/api/v1/hosted', agent), 400, 'key-not-bound');
    });

    it('is of a further key of the account, signed by either', async () => {
      const [owner, second] = [await world.agent(), await world.agent()];
      mustOk(await joinAccount(owner, second));
      const made = mustOk(await second.post('/api/v1/passport', { keyId: second.keyId }));
      assert.deepEqual([made['owner'], made['keyId']], [owner.account, second.keyId]);
      mustOk(await owner.post('/api/v1/passport', { keyId: second.keyId, bio: 'By the first.' }));
      mustOk(await second.post('/api/v1/passport', { keyId: owner.keyId }));
    });

    it('refuses a key of another account, one that never signed, and what is no key', async () => {
      const { alice, bob } = world;
      const silent = await world.agent();
      mustOk(await bob.get('/api/v1/me'));
      for (const { keyId } of [bob, silent]) {
        const refused = mustRefuse(
          await alice.post('/api/v1/passport', { keyId }),
          400,
          'key-not-bound',
        );
        assert.equal(refused['field'], 'body.keyId');
      }
      mustRefuse(await alice.post('/api/v1/passport', { keyId: 'nobody' }), 400, 'bad-account');
      mustRefuse(await alice.post('/api/v1/passport', {}), 400, 'missing-field');
      const { keyId } = alice;
      mustRefuse(await world.anyone.post('/api/v1/passport', { keyId }), 401, 'unsigned');
    });
  });
}
