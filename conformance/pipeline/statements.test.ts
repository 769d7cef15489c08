import { randomUUID } from 'node:crypto';
import type { Agent, Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { DATABASES } from '../harness/databases.ts';
import { mustOk } from '../harness/must.ts';
import { bet, MARKETS, newMarket } from '../predictions/_markets.ts';
import { makeSpace, writeNote, type MadeSpace } from '../memory/space.ts';
import { TABLES } from '../poker/_table.ts';
import { act, publish } from '../tasks/_work.ts';
import { mustKeepBudgets } from './_budgets.ts';

/**
 * The statements of one operation that runs alone and warm, BEGIN and COMMIT among them
 * (docs/figures/requests.md). A change may lower these numbers; it never raises one.
 */
const BUDGETS = {
  pay: { SQLite: 1, PostgreSQL: 1 },
  publish: { SQLite: 1, PostgreSQL: 1 },
  claim: { SQLite: 2, PostgreSQL: 2 },
  submit: { SQLite: 3, PostgreSQL: 3 },
  'read of a task': { SQLite: 1, PostgreSQL: 1 },
  'read of a wallet': { SQLite: 2, PostgreSQL: 2 },
  note: { SQLite: 2, PostgreSQL: 2 },
  bet: { SQLite: 3, PostgreSQL: 2 },
  'read of a market': { SQLite: 1, PostgreSQL: 1 },
  'read of a table': { SQLite: 1, PostgreSQL: 1 },
  'page of tasks': { SQLite: 1, PostgreSQL: 1 },
  stamp: { SQLite: 2, PostgreSQL: 2 },
  'payment to a new account': { SQLite: 2, PostgreSQL: 2 },
  // Whether the key is bound, its binding, whether it has a policy, and the payment.
  'first payment of a key': { SQLite: 4, PostgreSQL: 4 },
  'second payment of a key': { SQLite: 1, PostgreSQL: 1 },
} as const;

for (const [database, url] of DATABASES) {
  describe(`the statements of one operation (${database})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    let space: MadeSpace;
    let market: string;
    let table: string;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      for (const agent of [world.alice, world.bob]) await world.fund(agent, '100000000');
      space = await makeSpace(world.alice, 'private');
      market = await newMarket(world);
      const terms = { format: 'cash', seats: 6, bigBlind: '1000' };
      table = String(mustOk(await world.alice.post(TABLES, terms))['id']);
    });
    after(() => world.close());

    let newcomer: Agent;
    const payTo = (from: Agent, to: Agent, amount = '3'): Promise<Answer> => {
      const body = { to: to.account, amount, idempotencyKey: randomUUID() };
      return from.post(`/api/v1/wallet/${from.account}/pay`, body);
    };

    /** The task that the steps of a life go through. */
    let task = '';
    let claimToken = '';
    const steps: Readonly<Record<keyof typeof BUDGETS, (run: number) => Promise<unknown>>> = {
      async pay(count) {
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
      note: async (count) => mustOk(await writeNote(world.alice, space, `note ${count}`)),
      bet: async () => mustOk(await bet(world.bob, market, 'yes', 10_000)),
      'read of a market': async () => mustOk(await world.anyone.get(`${MARKETS}/${market}`)),
      'read of a table': async () => mustOk(await world.anyone.get(`${TABLES}/${table}`)),
      'page of tasks': async () => mustOk(await world.anyone.get('/api/v1/tasks?limit=5')),
      async stamp(count) {
        const digest = count.toString(16).padStart(64, '0');
        mustOk(await world.anyone.post('/api/v1/time/stamp', { digest }));
      },
      async 'payment to a new account'() {
        newcomer = await world.agent();
        mustOk(await payTo(world.alice, newcomer, '100'));
      },
      'first payment of a key': async () => mustOk(await payTo(newcomer, world.bob)),
      'second payment of a key': async () => mustOk(await payTo(newcomer, world.bob)),
    };

    it('are as few as their budgets', () => mustKeepBudgets(database, BUDGETS, steps));
  });
}
