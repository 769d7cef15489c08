import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf, MEMORY, SPACES } from './space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';

hubsOnBothDatabases('memory.createSpace', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
  });

  it('makes an empty space for nothing, private unless asked', async () => {
    const { alice } = world;
    const cost = await costOf(alice, async () => {
      const made = mustOk(await alice.post(SPACES, { owner: alice.account, name: 'a.b_c-1' }));
      const { owner, name, kind, notes, bytes } = made;
      assert.deepEqual(
        [owner, name, kind, notes, bytes],
        [alice.account, 'a.b_c-1', 'private', 0, 0],
      );
      const shared = { owner: alice.account, name: 'ours', kind: 'shared' };
      assert.equal(mustOk(await alice.post(SPACES, shared))['kind'], 'shared');
    });
    assert.equal(cost, 0n);
  });

  it('takes a name once an owner, also when it is asked for twice at once', async () => {
    const { alice, bob } = world;
    const body = (owner: string) => ({ owner, name: 'twice' });
    const answers = await Promise.all([1, 2, 3].map(() => alice.post(SPACES, body(alice.account))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    mustRefuse(await alice.post(SPACES, body(alice.account)), 400, 'name-taken');
    mustOk(await bob.post(SPACES, body(bob.account)));
  });

  it('refuses names with slashes, blanks, nothing, or 65 letters, and unknown kinds', async () => {
    const { alice } = world;
    for (const name of ['a/b', 'a b', '', 'n'.repeat(65), 'ü', '..\\x']) {
      mustRefuse(await alice.post(SPACES, { owner: alice.account, name }), 400, 'bad-request');
    }
    const body = { owner: alice.account, name: 'x', kind: 'public' };
    mustRefuse(await alice.post(SPACES, body), 400, 'unknown-field-value');
    const forged = { owner: world.bob.account, name: 'mine' };
    mustRefuse(await alice.post(SPACES, forged), 401, 'wrong-owner');
  });

  it('refuses the 101st', async () => {
    const many = await world.agent();
    for (let n = 0; n < 100; n += 1) {
      mustOk(await many.post(SPACES, { owner: many.account, name: `s${n}` }));
    }
    mustRefuse(
      await many.post(SPACES, { owner: many.account, name: 's100' }),
      400,
      'ceiling-reached',
    );
    const usage = mustOk(await many.get(`${MEMORY}/usage/${many.account}`));
    assert.equal(usage['spaces'], 100);
  });
});
