import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { chat, compat, mintKey, mustAddUp, RECEIPTS, receiptsOf, type Body } from './_desk.ts';

hubsOnBothDatabases('models.receipts', (open) => {
  it('lists the own calls only, newest first, in pages, without a word of them', async () => {
    const world = await open();
    const { alice, bob } = world;
    await world.fund(alice, '1000000');
    const say = (content: string) =>
      chat(alice, { model: 'hub/echo', messages: [{ role: 'user', content }] });
    for (const content of ['first secret', 'second secret', 'third secret'])
      mustOk(await say(content));
    const all = await receiptsOf(alice);
    assert.equal(all.length, 3);
    for (const each of all) mustAddUp(each);
    assert.ok(!JSON.stringify(all).includes('secret'));
    const times = all.map(({ id }) => String(id));
    assert.deepEqual([...times].sort().reverse(), times);
    assert.deepEqual(await receiptsOf(bob), []);
    const page = mustOk(await alice.get(`${RECEIPTS}?limit=2`));
    const next = mustOk(await alice.get(`${RECEIPTS}?limit=2&after=${String(page['next'])}`));
    const joined = [page, next].flatMap((each) => each['receipts'] as readonly Body[]);
    assert.deepEqual(joined, all);
    assert.equal(next['next'], undefined);
    assert.deepEqual(at(mustOk(await alice.get(`${RECEIPTS}?network=play`)), 'receipts'), []);
    mustRefuse(await alice.get(`${RECEIPTS}?network=moon`), 400, 'network-unknown');
    mustRefuse(await world.anyone.get(RECEIPTS), 401, 'unsigned');
    const rows = await world.hub.running.hub.store.read((db) => db.knex('model_calls'));
    assert.ok(!JSON.stringify(rows).includes('secret'), 'prompts and answers are not kept');
  });

  it('are narrowed by model, key and day, also as CSV', async () => {
    const world = await open();
    const { alice } = world;
    await world.fund(alice, '1000000');
    const key = await mintKey(alice);
    const ask = (path: string, more: Body) => compat(world, path, key, more);
    mustOk(await ask('/v1/embeddings', { model: 'hub/words', input: 'a' }));
    mustOk(await chat(alice, { model: 'hub/echo' }));
    world.hub.clock.advance(86_400);
    mustOk(await ask('/v1/responses', { model: 'hub/echo', input: 'a' }));
    const today = new Date(world.hub.clock.now()).toISOString().slice(0, 10);
    const models = async (query: string): Promise<unknown> =>
      (mustOk(await alice.get(`${RECEIPTS}?${query}`))['receipts'] as readonly Body[]).map(
        ({ model }) => model,
      );
    assert.deepEqual(await models('model=hub/words'), ['hub/words']);
    assert.deepEqual(await models(`apiKeyHint=${key.slice(0, 10)}`), ['hub/echo', 'hub/words']);
    assert.deepEqual(await models(`day=${today}`), ['hub/echo']);
    assert.deepEqual(await models(`day=${today}&model=hub/words`), []);
    const request = await alice.signed('GET', `${RECEIPTS}?model=hub/words`);
    request.headers.set('accept', 'text/csv');
    const rows = await alice.send(request);
    assert.equal(rows.text.trim().split('\n').length, 2, rows.text);
    mustRefuse(await alice.get(`${RECEIPTS}?day=2026-02-30`), 400, 'bad-request');
    mustRefuse(await alice.get(`${RECEIPTS}?day=today`), 400, 'bad-request');
  });
});
