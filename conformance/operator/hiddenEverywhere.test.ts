import assert from 'node:assert/strict';
import { publishChain, taskOf } from '../chains/_chain.ts';
import type { Agent } from '../harness/agents.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import * as poker from '../poker/_table.ts';
import { bet, newMarket } from '../predictions/_markets.ts';
import { act, publish, type Body } from '../tasks/_work.ts';
import { wordsShown, type Published } from './_everyRead.ts';
import { decide } from './_operator.ts';

/** Every read of the contract, asked about everything that was published, before and after. */
for (const [name, url] of DATABASES) {
  describe(`hidden texts (${name})`, function suite() {
    this.timeout(120_000);
    let world: Fixture;
    let published: PublishedHere;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      for (const agent of [world.alice, world.bob]) await world.fund(agent, '90000000');
      published = await publishAll(world);
    });
    after(() => world.close());

    it('are in no answer that any other account gets, and stay where parties read them', async () => {
      const { alice, bob } = world;
      const outsider = await world.agent();
      const shown = await wordsShown(world, published, outsider);
      assert.deepEqual([...shown.keys()].sort(), [...published.words].sort(), 'all can be found');
      assert.ok((shown.get('wordsofmarket') ?? []).includes('games.list'));
      assert.ok((shown.get('wordsofpassport') ?? []).includes('passport.names'));
      assert.ok((shown.get('wordsofpassport') ?? []).includes('discovery.earnings'));
      for (const [subject, id] of published.subjects) {
        await decide([world], 'hide', subject, id, 'It is rude.');
      }
      assert.deepEqual(await wordsShown(world, published, outsider), new Map());
      const { task, market, table } = published;
      const offered = mustOk(await alice.get(`/api/v1/tasks/${task}/solutions`));
      assert.equal(at(offered, 'solutions', 0, 'result', 'text'), 'wordsofsolution');
      const seats = mustOk(await bob.get('/api/v1/games/poker/positions'))['positions'] as Body[];
      assert.equal(seats.find(({ tableId }) => tableId === table)?.['tableName'], 'wordsoftable');
      const bets = mustOk(await bob.get('/api/v1/games/predictions/positions'));
      const mine = (bets['positions'] as Body[]).find(({ marketId }) => marketId === market);
      assert.match(String(mine?.['question']), /wordsofmarket/);
    });
  });
}

interface PublishedHere extends Published {
  readonly subjects: readonly (readonly [string, string])[];
  readonly task: string;
  readonly market: string;
  readonly table: string;
}

/** One text of each kind, a word in each that stands nowhere else. Words of the contract look so. */
async function publishAll(world: Fixture): Promise<PublishedHere> {
  const { alice, bob } = world;
  const keyId = alice.keyId;
  const profile = { keyId, displayName: 'wordsofpassport', bio: 'wordsofpassport' };
  mustOk(await alice.post('/api/v1/passport', profile));
  const open = { mode: 'open', verification: 'requester', disputeWindowSeconds: 0 };
  const { id: task } = await publish(alice, {
    title: 'wordsoftask',
    description: 'Rudely.',
    ...open,
  });
  const solution = await paid(alice, bob, task, { text: 'wordsofsolution' });
  const { id: pitched } = await publish(alice, { title: 'x', tags: ['pitch'] });
  const commented = await act(bob, pitched, 'comments', {
    author: bob.account,
    body: 'Rudely: wordsofcomment',
  });
  const comment = String(mustOk(commented)['id']);
  const plan = { agentId: bob.account, plan: 'wordsofpitch' };
  const pitch = String(mustOk(await act(bob, pitched, 'pitch', plan))['id']);
  const steps = [{ title: 'wordsofchain', rewardAmount: '10000' }];
  const chain = await publishChain(alice, steps, { title: 'wordsofchain' });
  const market = await newMarket(world, { question: 'Is it wordsofmarket?' });
  mustOk(await bet(bob, market, 'yes', 10_000));
  const room = { world, players: [alice, bob] };
  const table = await poker.newTable(room, { name: 'wordsoftable' });
  mustOk(await poker.sit(bob, table));
  // A payment for work, so that the payee's name is among the earnings.
  const { id: second } = await publish(bob, { title: 'x', ...open });
  await paid(bob, alice, second, 'y');
  const step = await taskOf(world, chain, 1);
  const all = { task, chain: chain.id, market, table, solution, pitch, comment, passport: keyId };
  const subjects = Object.entries(all);
  return {
    words: subjects.map(([subject]) => `wordsof${subject}`),
    subjects,
    ids: new Map([
      ...[task, pitched, step].map((id) => [`/api/v1/tasks/{id} ${id}`, id] as const),
      [`/api/v1/chains/{id}`, chain.id],
      [`/api/v1/games/predictions/markets/{id}`, market],
      [`/api/v1/games/poker/tables/{id}`, table],
      [`/api/v1/passport/{keyId}`, keyId],
    ]),
    task,
    market,
    table,
  };
}

/** Offers a result and has it accepted, which makes it public. */
async function paid(by: Agent, worker: Agent, task: string, result: unknown): Promise<string> {
  mustOk(await act(worker, task, 'solution', { agentId: worker.account, result }));
  mustOk(await act(by, task, 'accept', { requester: by.account }));
  const { solutions } = mustOk(await worker.get(`/api/v1/tasks/${task}/solutions`));
  return String(at(solutions, 0, 'id'));
}
