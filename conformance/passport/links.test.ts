import assert from 'node:assert/strict';
import { groupsOf, linked, partyOf } from '../../db/tasks/links.ts';
import type { Account } from '../../domain/account.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { DATABASES, SUITE_MS_MAX } from '../router/_fixture.ts';
import { accountOf } from '../services/_lend.ts';
import { act, publish as publishTask } from '../tasks/_work.ts';
import { check, openStreet, prove, publish, type Street } from './_domains.ts';

for (const [name, url] of DATABASES) {
  describe(`accounts that proved one domain (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    let carol: Agent;
    before(async () => {
      street = await openStreet(await url());
      const { world, homes } = street;
      carol = await world.agent();
      await world.fund(world.alice, '5000000');
      await prove(world.alice, homes[0]);
      publish(homes[0], world.bob.keyId);
      mustOk(await check(world.bob, homes[0].site.url, world.bob.keyId));
      await prove(carol, homes[1]);
    });
    after(() => street.close());

    it('are linked, each to the other and to nobody else', async () => {
      const { world } = street;
      const [alice, bob, other] = [world.alice, world.bob, carol].map(accountOf) as [
        Account,
        Account,
        Account,
      ];
      const { store } = world.hub.running.hub;
      await store.read(async (db) => {
        assert.equal(await linked(db, alice, bob), true);
        assert.equal(await linked(db, bob, alice), true);
        assert.equal(await linked(db, alice, other), false);
        assert.deepEqual([...(await partyOf(db, alice))].sort(), [alice, bob].sort());
        assert.deepEqual(await partyOf(db, other), [other]);
        const groups = await groupsOf(db, [alice, bob, other]);
        assert.equal(groups.get(alice), groups.get(bob));
        assert.notEqual(groups.get(alice), groups.get(other));
      });
    });

    it('do not work for each other', async () => {
      const { alice, bob } = street.world;
      const task = await publishTask(alice);
      mustRefuse(await act(bob, task.id, 'claim', { agentId: bob.account }), 400, 'self-dealing');
      const taken = await act(carol, task.id, 'claim', { agentId: carol.account });
      assert.equal(typeof at(mustOk(taken), 'claimToken'), 'string');
    });
  });
}
