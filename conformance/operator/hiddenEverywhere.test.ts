import assert from 'node:assert/strict';
import { publishChain, taskOf } from '../chains/_chain.ts';
import type { Agent } from '../harness/agents.ts';
import { operations } from '../harness/contract.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import * as poker from '../poker/_table.ts';
import { bet, newMarket } from '../predictions/_markets.ts';
import { act, publish, type Body } from '../tasks/_work.ts';
import { decide } from './_operator.ts';

/** Every read of the contract, asked about everything that was published, before and after. */
for (const [name, url] of DATABASES) {
  describe(`hidden texts (${name})`, function suite() {
    this.timeout(120_000);
    let world: Fixture;
    let published: Published;
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

interface Published {
  readonly words: readonly string[];
  readonly subjects: readonly (readonly [string, string])[];
  readonly ids: ReadonlyMap<string, string>;
  readonly task: string;
  readonly market: string;
  readonly table: string;
}

/** One text of each kind, a word in each that stands nowhere else. Words of the contract look so. */
async function publishAll(world: Fixture): Promise<Published> {
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
  const said = await act(bob, pitched, 'comments', {
    author: bob.account,
    body: 'Rudely: wordsofcomment',
  });
  const comment = String(mustOk(said)['id']);
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

/** Each of the words that an answer to anyone has, with the operations that show it. */
async function wordsShown(
  { anyone }: Fixture,
  { words, ids }: Published,
  outsider: Agent,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = new Map<string, string[]>();
  for (const { operationId, path } of readable()) {
    for (const url of urlsOf(operationId, path, { words, ids, outsider })) {
      for (const by of [anyone, outsider]) {
        const { text } = await by.get(url);
        for (const word of words.filter((each) => text.includes(each))) {
          const already = shown.get(word) ?? [];
          if (!already.includes(operationId)) shown.set(word, [...already, operationId]);
        }
      }
    }
  }
  return shown;
}

function readable() {
  return operations.filter(({ method, raw }) => method === 'GET' && raw['x-auth'] !== 'api-key');
}

const QUERIES: Readonly<
  Record<string, (of: Pick<Published, 'words' | 'ids'>) => readonly string[]>
> = {
  'discovery.search': () => ['?q=rudely'],
  'tasks.list': () => ['', '?state=open', '?state=paid'],
  'passport.names': ({ ids }) => [`?accounts=${ids.get('/api/v1/passport/{keyId}') ?? ''}`],
  'wallet.events': () => ['?wait=0'],
};

function urlsOf(
  operationId: string,
  path: string,
  of: Pick<Published, 'words' | 'ids'> & { readonly outsider: Agent },
): readonly string[] {
  const queries = QUERIES[operationId]?.(of) ?? [''];
  const places = [...of.ids].flatMap(([place, id]) => {
    const [template = ''] = place.split(' ');
    return path.startsWith(template) ? [path.replace(/\{(?:id|keyId)\}/, id)] : [];
  });
  const whole = [path, ...places].map((each) => each.replace('{owner}', of.outsider.account));
  return whole
    .map((each) => each.replace('{game}', 'predictions'))
    .filter((each) => !each.includes('{'))
    .flatMap((each) => queries.map((query) => `${each}${query}`));
}
