import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { statementsOf } from '../harness/statements.ts';
import { makeSpace, writeNote, type MadeSpace } from '../memory/space.ts';
import { act, publish } from '../tasks/_work.ts';

/**
 * The statements of one operation that runs alone and warm, BEGIN and COMMIT among them
 * (docs/figures.md). A change may lower these numbers; it never raises one.
 */
const BUDGETS = {
  pay: { SQLite: 2, PostgreSQL: 1 },
  publish: { SQLite: 2, PostgreSQL: 2 },
  claim: { SQLite: 3, PostgreSQL: 3 },
  submit: { SQLite: 3, PostgreSQL: 3 },
  'read of a task': { SQLite: 1, PostgreSQL: 1 },
  'read of a wallet': { SQLite: 12, PostgreSQL: 11 },
  note: { SQLite: 2, PostgreSQL: 2 },
  stamp: { SQLite: 2, PostgreSQL: 2 },
} as const;

/** Before the one that is counted, so that statements are prepared and caches are filled. */
const WARM_UPS = 3;

for (const [database, url] of DATABASES) {
  describe(`the statements of one operation (${database})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    let space: MadeSpace;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      for (const agent of [world.alice, world.bob]) await world.fund(agent, '100000000');
      space = await makeSpace(world.alice, 'private');
    });
    after(() => world.close());

    /** The task that the steps of a life go through. */
    let task = '';
    let claimToken = '';
    let count = 0;
    const steps: Readonly<Record<keyof typeof BUDGETS, () => Promise<unknown>>> = {
      async pay() {
        const { alice, bob } = world;
        const body = { to: bob.account, amount: '7', idempotencyKey: `pay ${count}` };
        mustOk(await alice.post(`/api/v1/wallet/${alice.account}/pay`, body));
      },
      async publish() {
        const rule = { kind: 'contains', values: ['done'] };
        task = (await publish(world.alice, { acceptance: rule, disputeWindowSeconds: 0 })).id;
      },
      async claim() {
        const { bob } = world;
        const claimed = mustOk(await act(bob, task, 'claim', { agentId: bob.account }));
        claimToken = String(claimed['claimToken']);
      },
      async submit() {
        mustOk(await act(world.bob, task, 'submit', { claimToken, result: 'done' }));
      },
      'read of a task': async () => mustOk(await world.anyone.get(`/api/v1/tasks/${task}`)),
      async 'read of a wallet'() {
        const { bob } = world;
        mustOk(await bob.get(`/api/v1/wallet/${bob.account}`));
      },
      note: async () => mustOk(await writeNote(world.alice, space, `note ${count}`)),
      async stamp() {
        const digest = count.toString(16).padStart(64, '0');
        mustOk(await world.anyone.post('/api/v1/time/stamp', { digest }));
      },
    };

    it('are as few as their budgets', async () => {
      for (; count < WARM_UPS; count += 1) for (const step of Object.values(steps)) await step();
      const found: Record<string, readonly string[]> = {};
      for (const [name, step] of Object.entries(steps)) found[name] = await statementsOf(step);
      for (const [name, budget] of Object.entries(BUDGETS)) {
        const { length } = found[name] ?? [];
        const allowed = budget[database];
        assert.ok(length > 0 && length <= allowed, `${name}: ${found[name]?.join('\n')}`);
        assert.equal(length, allowed, `${name} takes ${length}: lower its budget`);
      }
    });
  });
}
