import assert from 'node:assert/strict';
import type { Knex } from 'knex';
import { sha256Hex } from '../../domain/digest.ts';
import { DATABASES } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { callSkill, mustComplete } from '../doors/a2a/_door.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, claim, publish, RULE } from './_work.ts';

/** Who reads the database, a backup of it or a file of its log learns no token that delivers. */
for (const [name, url] of DATABASES) {
  describe(`claim tokens in the database (${name})`, () => {
    let world: Fixture;
    beforeEach(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '10000000');
    });
    afterEach(() => world.close());

    it('are hashes alone, after every kind of claim and every delivery', async () => {
      const { alice, bob } = world;
      const tokens: string[] = [];
      const first = await publish(alice, { acceptance: RULE });
      tokens.push(await claim(bob, first.id), await claim(bob, first.id));
      assert.equal(tokens[0], tokens[1], 'claiming again returns the same token');
      await publish(alice, { acceptance: RULE });
      const queued = mustOk(await bob.post('/api/v1/tasks/claim', {}));
      tokens.push(String(queued['claimToken']));
      const trial = mustOk(await bob.post('/api/v1/trials', { account: bob.account }));
      tokens.push(String(trial['claimToken']));
      await publish(alice, { acceptance: RULE });
      const by = await world.agent();
      const byDoor = await callSkill(world, '1.0', 'claim-task', {}, { by });
      tokens.push(String(mustComplete(byDoor, '1.0')['claimToken']));
      assert.ok(await hashesIn(world, tokens), 'the search finds what is there');
      assert.deepEqual(await found(world, tokens), []);

      const [token = '', , second = ''] = tokens;
      const done = { claimToken: token, result: 'done', idempotencyKey: 'once' };
      const paid = mustOk(await act(bob, first.id, 'submit', done));
      assert.equal(mustOk(await act(bob, first.id, 'submit', done))['repeated'], true);
      assert.equal(paid['outcome'], 'accepted');
      const back = String(at(queued, 'work', 'id'));
      mustOk(await act(bob, back, 'fail', { claimToken: second }));
      mustRefuse(await act(bob, back, 'fail', { claimToken: second }), 400, 'claim-token');
      assert.deepEqual(await found(world, tokens), []);
      assert.equal(new Set(tokens).size, 4, 'no two claims share a token');
    });
  });
}

describe('a claim token whose key is gone', () => {
  it('is replaced when its holder claims again', async () => {
    const world = await openFixture();
    const { alice, bob, hub } = world;
    await world.fund(alice, '2000000');
    const task = await publish(alice, { acceptance: RULE });
    const derived = await claim(bob, task.id);
    const old = { token_key: 'gone', token_hash: sha256Hex('lost') };
    const { store } = hub.running.hub;
    await store.write(async (tx) => void (await tx.knex('attempts').update(old)));
    assert.equal(await claim(bob, task.id), derived);
    const body = { claimToken: 'lost', result: 'done' };
    mustRefuse(await act(bob, task.id, 'submit', body), 400, 'claim-token');
    mustOk(await act(bob, task.id, 'submit', { ...body, claimToken: derived }));
    await world.close();
  });
});

/** Knex does not expose the client's name in its types. */
function clientOf(knex: Knex): string {
  const { config } = knex.client as { readonly config: { readonly client: unknown } };
  return String(config.client);
}

/** Every table as text. */
async function dump({ hub }: Fixture): Promise<ReadonlyMap<string, string>> {
  const { store } = hub.running.hub;
  return store.read(async ({ knex }) => {
    const isSqlite = clientOf(knex).includes('sqlite');
    const names: readonly { readonly name: string }[] = isSqlite
      ? await knex('sqlite_master').where({ type: 'table' }).select('name')
      : await knex('information_schema.tables')
          .where({ table_schema: 'public', table_type: 'BASE TABLE' })
          .select('table_name as name');
    const texts = new Map<string, string>();
    for (const { name } of names) {
      texts.set(name, JSON.stringify(await knex(name).select()));
    }
    return texts;
  });
}

async function found(world: Fixture, tokens: readonly string[]): Promise<readonly string[]> {
  const tables = [...(await dump(world))];
  return tables.flatMap(([name, text]) => (tokens.some((t) => text.includes(t)) ? [name] : []));
}

async function hashesIn(world: Fixture, tokens: readonly string[]): Promise<boolean> {
  const attempts = (await dump(world)).get('attempts') ?? '';
  return tokens.every((token) => attempts.includes(sha256Hex(token)));
}
