import { post, readsOf } from '../../db/ledger/post.ts';
import { FEES } from '../../db/ledger/shards.ts';
import { closeSites } from '../../clients/examples/agents/site.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { fund, pay, person, transfer } from '../ledger/book.ts';
import { chat, compat, HELLO, mintKey } from '../models/_desk.ts';
import {
  localProvider,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from '../models/_upstream.ts';
import { charging, echo, startAgent, type ScriptedAgent } from '../router/_agent.ts';
import { call, list } from '../router/_fixture.ts';
import { mustKeepBudgets } from './_budgets.ts';

/** Calls that reach others: each begins and ends in the database, and is counted whole. */
const BUDGETS = {
  'free call of an agent': { SQLite: 4, PostgreSQL: 4 },
  'paid call of an agent': { SQLite: 4, PostgreSQL: 4 },
  'call of a model': { SQLite: 2, PostgreSQL: 2 },
  'call of a model with an API key': { SQLite: 2, PostgreSQL: 2 },
  'new public record': { SQLite: 8, PostgreSQL: 9 },
  search: { SQLite: 2, PostgreSQL: 2 },
} as const;

const QUESTION = { model: 'acme/small', messages: HELLO, max_tokens: 100 };

for (const [database, url] of DATABASES) {
  describe(`the statements of one call (${database})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    let upstream: Upstream;
    let file: UpstreamFile;
    let agent: ScriptedAgent;
    let listed: string;
    let apiKey: string;
    before(async () => {
      upstream = await startUpstream();
      file = upstreamFile([localProvider(upstream)], [upstream]);
      agent = await startAgent({ echo, paid: charging(() => '5000') });
      const pairs = [upstream.pair, agent.site.pair].join(',');
      const env = { ...file.env, HUB_ALLOW_PRIVATE_HOSTS: pairs };
      world = await openFixture({ databaseUrl: await url(), env });
      await world.fund(world.alice, '100000000');
      const priced = { holder: await world.agent(), price: '5000' };
      listed = await list(world, agent, ['paid', 'echo'], priced);
      apiKey = await mintKey(world.alice);
    });
    after(async () => {
      await world.close();
      await upstream.close();
      await closeSites();
      file.remove();
    });

    const record = async () => mustOk(await world.anyone.get(`/api/v1/agents/${listed}`));
    const steps: Readonly<Record<keyof typeof BUDGETS, () => Promise<unknown>>> = {
      'free call of an agent': () =>
        call(world.alice, { agentId: listed, operation: 'echo', arguments: {}, maxPrice: '9000' }),
      'paid call of an agent': () =>
        call(world.alice, { agentId: listed, operation: 'paid', arguments: {}, maxPrice: '9000' }),
      'call of a model': async () => mustOk(await chat(world.alice)),
      'call of a model with an API key': async () =>
        mustOk(await compat(world, '/v1/chat/completions', apiKey, QUESTION)),
      'new public record': () => record(),
      search: async () => mustOk(await world.anyone.get('/api/v1/search?q=echo')),
    };

    /** Fees go to one of 16 rows on PostgreSQL, by the id of the call; each is read once. */
    const rememberFees = async () => {
      const { store } = world.hub.running.hub;
      const payer = person();
      await fund(store, payer, 16n);
      for (const id of '0123456789:;<=>?') {
        const fee = transfer([pay(payer, FEES, 1n)], { ref: { kind: 'test', id } });
        const needs = readsOf(store.dialect, fee);
        await store.decide({ needs, decide: (db) => post(db, fee) });
      }
    };

    it('are as few as their budgets', async () => {
      await rememberFees();
      await mustKeepBudgets(database, BUDGETS, steps);
    });

    it('are one for a record whose text is stored', async () => {
      await world.hub.runJob('listingTexts');
      const budget = { 'public record': { SQLite: 1, PostgreSQL: 1 } };
      await mustKeepBudgets(database, budget, { 'public record': () => record() });
    });
  });
}
