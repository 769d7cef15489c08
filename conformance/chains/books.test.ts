import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { claim, submit, type Body } from '../tasks/_work.ts';
import { AT_ONCE, closeBalanced, publishChain, STEP, taskOf } from './_chain.ts';

/** The hub's own count finds every unit of a chain that is not where it should be (I8). */
for (const [name, url] of DATABASES) {
  describe(`the books of chains (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => closeBalanced(world));

    const found = async (): Promise<readonly Body[]> => {
      const books = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
      return books['differences'] as readonly Body[];
    };
    /** Does one thing behind the hub's back, looks, and undoes it. */
    const tampered = async (bad: string, undo: string): Promise<readonly unknown[]> => {
      const { store } = world.hub.running.hub;
      await store.write(({ knex }) => knex.raw(bad));
      const seen = await found();
      await store.write(({ knex }) => knex.raw(undo));
      assert.deepEqual(await found(), []);
      return [...new Set(seen.map(({ check }) => check))];
    };

    it('balance at every stage, and add up to what is promised', async () => {
      const { bob, anyone } = world;
      const chain = await publishChain(world.alice, [AT_ONCE, STEP, STEP]);
      const promised = async (): Promise<unknown> => {
        const books = mustOk(await anyone.get('/api/v1/economy/conservation'));
        assert.deepEqual(books['differences'], []);
        const ledgers = books['ledgers'] as Body[];
        return at(
          ledgers.find(({ network }) => network === 'sandbox'),
          'liveRewards',
        );
      };
      assert.equal(await promised(), '3000000');
      await claim(bob, await taskOf(world, chain, 1));
      assert.equal(await promised(), '3000000');
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      assert.equal(await promised(), '2000000');
      mustOk(await submit(bob, await taskOf(world, chain, 2), 'done'));
      assert.equal(await promised(), '2000000', 'one waits its window, one is open');
    });

    it('show a chain that counts a unit as spent that is held', async () => {
      const { id } = await publishChain(world.alice, [STEP, STEP]);
      const of = `WHERE id = '${id}'`;
      assert.deepEqual(
        await tampered(
          `UPDATE chains SET spent = spent + 1 ${of}`,
          `UPDATE chains SET spent = spent - 1 ${of}`,
        ),
        ['escrow-match'],
      );
    });

    it('show a step that waits for less than it was promised', async () => {
      const { id } = await publishChain(world.alice, [STEP, STEP]);
      const of = `WHERE chain_id = '${id}' AND n = 2`;
      assert.deepEqual(
        await tampered(
          `UPDATE chain_steps SET reward = reward - 1 ${of}`,
          `UPDATE chain_steps SET reward = reward + 1 ${of}`,
        ),
        ['escrow-match'],
      );
    });
  });
}
