import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { costOf } from '../memory/space.ts';
import { bytesOf, filePath, FILES, putFile, sha256Of, storedObjects } from './file.ts';

const MEGABYTE = 1_048_576;

hubsOnBothDatabases('files.put of parts', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    for (const agent of [world.alice, world.bob]) await world.fund(agent, '10000000');
  });

  const parts = async (contents: readonly Buffer[], name: string) => {
    const made: { key: string; sha256: string }[] = [];
    for (const [nth, content] of contents.entries()) {
      const key = `${name}.part-${nth}`;
      const { sha256 } = mustOk(await putFile(world.alice, key, content));
      made.push({ key, sha256: String(sha256) });
    }
    return made;
  };
  const join = (key: string, of: unknown, more: object = {}) =>
    world.alice.post(FILES, { owner: world.alice.account, key, parts: of, ...more });

  it('joins 32 MB of parts in their order, for the price of the file', async function big() {
    this.timeout(120_000);
    const contents = [9, 9, 9, 5].map((size, nth) => bytesOf(size * MEGABYTE, nth));
    const whole = Buffer.concat(contents);
    const named = await parts(contents, 'big');
    const cost = await costOf(world.alice, async () => {
      const made = mustOk(await join('big', named));
      assert.deepEqual([made['bytes'], made['sha256']], [whole.length, sha256Of(whole)]);
      assert.equal(at(made, 'charge', 'amount'), '740');
    });
    assert.equal(cost, 740n);
    const got = mustOk(await world.alice.get(filePath(world.alice, 'big')));
    assert.ok(Buffer.from(String(got['contentBase64']), 'base64').equals(whole));
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
    const more = await parts([Buffer.from('x')], 'more');
    mustRefuse(await join('bigger', [...named, ...more]), 400, 'file-too-large');
    const listed = await world.alice.get(`${FILES}/${world.alice.account}?prefix=big.part`);
    assert.equal(mustOk(listed)['count'], 4, 'the parts are their owner’s to delete');
  });

  it('joins a part twice, and an empty one', async () => {
    const [a, b, none] = await parts([Buffer.from('ab'), Buffer.from('c'), Buffer.alloc(0)], 's');
    mustOk(await join('small', [b, a, none, a]));
    const got = mustOk(await world.alice.get(filePath(world.alice, 'small')));
    assert.equal(Buffer.from(String(got['contentBase64']), 'base64').toString(), 'cabab');
  });

  it('is once for a key, also after the parts have gone', async () => {
    const named = await parts([Buffer.from('once')], 'once');
    const once = { idempotencyKey: 'joined-once' };
    const first = mustOk(await join('once', named, once));
    mustOk(await world.alice.post(`${filePath(world.alice, 'once.part-0')}/delete`, {}));
    const cost = await costOf(world.alice, async () => {
      assert.deepEqual(mustOk(await join('once', named, once)), { ...first, repeated: true });
      mustRefuse(await join('other', named, once), 400, 'idempotency-mismatch');
    });
    assert.equal(cost, 0n);
  });

  it('refuses parts that are not as named, and charges nothing', async () => {
    const { alice, bob } = world;
    const [part] = await parts([Buffer.from('mine')], 'mine');
    const foreign = mustOk(await putFile(bob, 'his', 'his'));
    const cost = await costOf(alice, async () => {
      for (const named of [
        [{ ...part, sha256: sha256Of('changed') }],
        [{ key: 'never stored', sha256: sha256Of('mine') }],
        [{ key: 'his', sha256: foreign['sha256'] }],
      ]) {
        const { hint } = mustRefuse(await join('k', named), 404, 'not-found');
        assert.match(String(hint), /prefix/);
      }
      mustRefuse(await join('k', []), 400, 'bad-request');
      const many = Array.from({ length: 65 }, () => part);
      mustRefuse(await join('k', many), 400, 'bad-request');
      mustRefuse(await join('k', [part], { contentBase64: 'QQ==' }), 400, 'not-together');
      const nothing = await alice.post(FILES, { owner: alice.account, key: 'k' });
      mustRefuse(nothing, 400, 'missing-field');
    });
    assert.equal(cost, 0n);
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('joins nothing that its owner cannot pay for', async () => {
    const agent = await world.agent();
    await world.fund(agent, '400');
    const { sha256 } = mustOk(await putFile(agent, 'part', bytesOf(MEGABYTE, 1)));
    const named = Array.from({ length: 20 }, () => ({ key: 'part', sha256 }));
    const body = { owner: agent.account, key: 'whole', parts: named };
    mustRefuse(await agent.post(FILES, body), 400, 'insufficient-funds');
  });
});
