import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { chat, mustAddUp, RECEIPTS, receiptsOf, type Body } from './_desk.ts';

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
});
