import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { groupsIn } from '../../db/tasks/linkLookups.ts';
import { linked, partyOf } from '../../db/tasks/links.ts';
import type { Account } from '../../domain/account.ts';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { SUITE_MS_MAX } from '../router/_fixture.ts';
import { accountOf } from '../services/_lend.ts';
import { act, publish as publishTask } from '../tasks/_work.ts';
import { check, openStreet, prove, publish, type Street } from './_domains.ts';

const [ORIGIN, NAME] = ['https://agents.example.com', '_agent.agents.example.com'];

for (const [name, url] of DATABASES) {
  describe(`accounts that proved one domain at once (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let street: Street;
    let carol: Agent;
    before(async () => {
      street = await openStreet(await url());
      const { world, homes, records } = street;
      carol = await world.agent();
      await world.fund(world.alice, '5000000');
      await prove(carol, homes[1]);
      await prove(world.bob, homes[0]);
      records.set(
        NAME,
        [world.alice, world.bob].map(({ keyId }) => `hub-key=${keyId}`),
      );
      mustOk(await check(world.alice, ORIGIN, world.alice.keyId));
      mustRefuse(await check(world.bob, ORIGIN, world.bob.keyId), 400, 'domain-held');
    });
    after(() => street.close());

    it('are linked, each to the other alone', async () => {
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
      });
      const accounts = [alice, bob, other];
      const groups = await store.decide({ needs: [], decide: (db) => groupsIn(db, accounts) });
      assert.equal(groups.get(alice), groups.get(bob));
      assert.notEqual(groups.get(alice), groups.get(other));
    });

    it('are linked by nothing that one side did alone', async () => {
      const { world, homes, records } = street;
      const [owner, heir, victim] = [await world.agent(), await world.agent(), await world.agent()];
      const areLinked = (a: Agent, b: Agent): Promise<boolean> =>
        world.hub.running.hub.store.read((db) => linked(db, accountOf(a), accountOf(b)));

      await prove(owner, homes[2]);
      publish(homes[2], heir.keyId);
      assert.equal(mustOk(await check(heir, homes[2].site.url, heir.keyId))['recorded'], true);
      assert.equal(await areLinked(owner, heir), false, 'a domain was sold');

      const keys = [owner, victim].map(({ keyId }) => `hub-key=${keyId}`);
      records.set('_agent.trap.example.com', keys);
      mustOk(await check(owner, 'https://trap.example.com', owner.keyId));
      mustOk(await check(owner, 'https://trap.example.com'));
      assert.equal(await areLinked(owner, victim), false, 'the victim signed nothing');

      records.set(NAME, [`hub-key=${heir.keyId}`]);
      mustOk(await check(heir, ORIGIN, heir.keyId));
      records.set(
        NAME,
        [heir, victim].map(({ keyId }) => `hub-key=${keyId}`),
      );
      mustRefuse(await check(victim, ORIGIN, victim.keyId), 400, 'domain-held');
      assert.equal(await areLinked(heir, victim), true);
      assert.equal(await areLinked(heir, world.alice), false, 'she held it before they did');
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
