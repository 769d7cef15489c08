import assert from 'node:assert/strict';
import { generateKey, signer, signRequest } from '../../clients/typescript/sign.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import type { Fixture } from '../harness/fixture.ts';
import { costOf, MEMORY } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { bytesOf, filePath, FILES, putFile, sha256Of, storedObjects } from './file.ts';

const MEGABYTE = 1_048_576;

hubsOnBothDatabases('files.put', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
    await world.fund(world.alice, '10000000');
    await world.fund(world.bob, '10000000');
  });

  it('stores a file for 100 units and 20 a started megabyte', async () => {
    const { alice } = world;
    for (const [bytes, price] of [
      [0, 100n],
      [1, 120n],
      [MEGABYTE, 120n],
      [MEGABYTE + 1, 140n],
    ] as const) {
      const content = bytesOf(bytes, bytes);
      let made: Record<string, unknown> = {};
      const cost = await costOf(alice, async () => {
        made = mustOk(await putFile(alice, `size ${bytes}`, content));
      });
      assert.equal(cost, price);
      assert.deepEqual(
        [made['bytes'], made['sha256'], made['replaced'], at(made, 'charge', 'amount')],
        [bytes, sha256Of(content), false, `${price}`],
      );
      const got = mustOk(await alice.get(filePath(alice, `size ${bytes}`)));
      assert.equal(got['contentBase64'], content.toString('base64'));
    }
  });

  it('replaces what a key held, and its quota follows', async () => {
    const { alice } = world;
    const first = mustOk(await putFile(alice, 'report', bytesOf(5000, 1)));
    const second = mustOk(await putFile(alice, 'report', bytesOf(300, 2)));
    assert.deepEqual([second['replaced'], second['bytes']], [true, 300]);
    assert.equal(Number(second['bytesLeft']) - Number(first['bytesLeft']), 4700);
    const got = mustOk(await alice.get(filePath(alice, 'report')));
    assert.equal(got['sha256'], sha256Of(bytesOf(300, 2)));
  });

  it('stores equal bytes of any account and key once, and charges each', async () => {
    const { alice, bob } = world;
    const content = bytesOf(9000, 77);
    const cost = await costOf(bob, async () => {
      mustOk(await putFile(alice, 'mine', content));
      mustOk(await putFile(alice, 'again', content));
      mustOk(await putFile(bob, 'his', content));
    });
    assert.equal(cost, 120n);
    const kept = (await storedObjects(world)).filter((name) => name.startsWith(sha256Of(content)));
    assert.equal(kept.length, 1);
  });

  it('is once for a key, by what the file holds', async () => {
    const { alice } = world;
    const once = { idempotencyKey: 'file-once' };
    const first = mustOk(await putFile(alice, 'once', 'content', once));
    const cost = await costOf(alice, async () => {
      assert.deepEqual(mustOk(await putFile(alice, 'once', 'content', once)), {
        ...first,
        repeated: true,
      });
      mustRefuse(await putFile(alice, 'once', 'other', once), 400, 'idempotency-mismatch');
    });
    assert.equal(cost, 0n);
  });

  it('takes 32 MB and refuses one byte more', async function big() {
    this.timeout(120_000);
    const { alice } = world;
    const content = bytesOf(32 * MEGABYTE, 5);
    mustOk(await putFile(alice, 'big', content));
    const got = mustOk(await alice.get(filePath(alice, 'big')));
    assert.equal(got['sha256'], sha256Of(content));
    assert.equal(sha256Of(Buffer.from(String(got['contentBase64']), 'base64')), sha256Of(content));
    const more = Buffer.concat([content, Buffer.from('x')]);
    const cost = await costOf(alice, async () => {
      mustRefuse(await putFile(alice, 'bigger', more), 400, 'file-too-large');
    });
    assert.equal(cost, 0n);
  });

  it('refuses what is no base64, charges nothing and keeps nothing', async () => {
    const { alice } = world;
    const before = await storedObjects(world);
    const cost = await costOf(alice, async () => {
      for (const contentBase64 of ['a', 'aGk', 'a-_=', 'aGk=\n', 'a b=', '====', 'é', 'QQ==QUJD']) {
        const body = { owner: alice.account, key: 'k', contentBase64 };
        mustRefuse(await alice.post(FILES, body), 400, 'bad-base64');
      }
      for (const contentBase64 of [7, null, ['QUJD'], { QUJD: 1 }]) {
        const body = { owner: alice.account, key: 'k', contentBase64 };
        mustRefuse(await alice.post(FILES, body), 400, 'bad-request');
      }
      mustRefuse(await alice.post(FILES, { owner: alice.account, key: 'k' }), 400, 'missing-field');
    });
    assert.equal(cost, 0n);
    assert.deepEqual(await storedObjects(world), before);
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('takes slashes, dots and blanks in keys as letters, and refuses those that begin with them', async () => {
    const { alice } = world;
    for (const key of ['a/b/..c/.d', 'a..b', 'x y@z+=-', '-dash', ' b', 'a//b/', '_/...']) {
      mustOk(await putFile(alice, key, key));
      const got = mustOk(await alice.get(filePath(alice, key)));
      assert.equal(Buffer.from(String(got['contentBase64']), 'base64').toString(), key);
    }
    for (const key of [
      '../x',
      'a/../b',
      'a/b/..',
      'a/./b',
      'a/.',
      '/etc/passwd',
      '.',
      '',
      'k'.repeat(256),
      'k'.repeat(1000),
      'ü',
      'a\\b',
    ]) {
      mustRefuse(await putFile(alice, key, 'x'), 400, 'bad-request');
    }
  });

  it('refuses a changed byte, a foreign owner, strange fields and a second content', async () => {
    const { alice, bob } = world;
    const request = await alice.signed('POST', FILES, {
      owner: alice.account,
      key: 'k',
      contentBase64: 'QUJD',
    });
    const text = (await request.clone().text()).replace('QUJD', 'QUJE');
    const changed = new Request(request, { body: text });
    mustRefuse(await alice.send(changed), 401, 'digest-mismatch');
    const forged = { owner: bob.account, key: 'k', contentBase64: 'QUJD' };
    mustRefuse(await alice.post(FILES, forged), 401, 'wrong-owner');
    mustRefuse(await putFile(alice, 'k', 'x', { html: true }), 400, 'bad-request');
    mustRefuse(await putFile(alice, 'k', 'x', { network: 'play' }), 400, 'network-refused');
    mustRefuse(await putFile(alice, 'k', 'x', { network: 'moon' }), 400, 'network-unknown');
    const twice = `{"owner":"${alice.account}","key":"k","contentBase64":"QUJD","contentBase64":"QUJE"}`;
    mustRefuse(await rawPost(world, twice), 400, 'bad-json');
    assert.deepEqual(await storedObjects(world, 'uploads'), []);
  });

  it('stores nothing for who cannot pay, and sends nothing to the store', async () => {
    const poor = await world.agent();
    await world.fund(poor, '119');
    const before = await storedObjects(world);
    mustRefuse(await putFile(poor, 'k', bytesOf(50, 123)), 400, 'insufficient-funds');
    assert.deepEqual(await storedObjects(world), before);
    const usage = mustOk(await poor.get(`${MEMORY}/usage/${poor.account}`));
    assert.deepEqual([usage['files'], usage['fileBytes']], [0, 0]);
  });

  it('refuses more than 200 MB of files, and still takes a smaller one in place of another', async () => {
    const { hub } = world;
    const full = await world.agent();
    await world.fund(full, '100000');
    mustOk(await putFile(full, 'k', bytesOf(1000, 9)));
    // The test writes no 200 MB: it sets the sum where the hub stores it.
    const bytes = 200 * MEGABYTE;
    await hub.running.hub.store.write(async (tx) => {
      await tx
        .knex('memory_accounts')
        .where({ account: full.account })
        .update({ file_bytes: bytes });
    });
    const cost = await costOf(full, async () => {
      mustRefuse(await putFile(full, 'other', 'x'), 400, 'storage-full');
      mustRefuse(await putFile(full, 'k', bytesOf(1001, 9)), 400, 'storage-full');
    });
    assert.equal(cost, 0n);
    assert.equal(mustOk(await putFile(full, 'k', bytesOf(10, 9)))['bytesLeft'], 990);
  });

  it('agrees with itself when one key is written by many at once', async () => {
    const { alice } = world;
    const contents = Array.from({ length: 8 }, (_, n) => bytesOf(2000 + n, n));
    const answers = await Promise.all(contents.map((content) => putFile(alice, 'race', content)));
    for (const answer of answers) mustOk(answer);
    const got = mustOk(await alice.get(filePath(alice, 'race')));
    assert.ok(contents.some((content) => sha256Of(content) === got['sha256']));
    const read = Buffer.from(String(got['contentBase64']), 'base64');
    assert.equal(sha256Of(read), got['sha256']);
    const usage = mustOk(await alice.get(`${MEMORY}/usage/${alice.account}`));
    const rows = await world.hub.running.hub.store.read((db) =>
      db.knex<{ owner: string; bytes: number }>('files').where({ owner: alice.account }),
    );
    const sum = rows.reduce((bytes, row) => bytes + Number(row.bytes), 0);
    assert.deepEqual([usage['files'], usage['fileBytes']], [rows.length, sum]);
  });

  it('sweeps content an hour after its last file let go of it, and keeps the rest', async () => {
    const { alice, hub } = world;
    const [old, shared] = [bytesOf(700, 31), bytesOf(700, 32)];
    mustOk(await putFile(alice, 'swept', old));
    mustOk(await putFile(alice, 'swept', bytesOf(700, 33)));
    mustOk(await putFile(alice, 'shared 1', shared));
    mustOk(await putFile(alice, 'shared 2', shared));
    mustOk(await putFile(alice, 'shared 1', 'something else'));
    const has = async (content: Buffer): Promise<boolean> =>
      (await storedObjects(world)).some((name) => name.startsWith(sha256Of(content)));
    await hub.runJob('fileSweep');
    assert.deepEqual([await has(old), await has(shared)], [true, true]);
    hub.clock.advance(3_601);
    await hub.runJob('fileSweep');
    assert.deepEqual([await has(old), await has(shared)], [false, true]);
    mustOk(await alice.get(filePath(alice, 'shared 2')));
    // A file that was swept can be stored again.
    mustOk(await putFile(alice, 'swept', old));
    assert.ok(await has(old));
    mustOk(await alice.get(filePath(alice, 'swept')));
  });
});

/** A body that no JSON writer makes, signed by the first key that comes. */
async function rawPost(world: Fixture, body: string) {
  const key = signer(await generateKey());
  const headers = { 'content-type': 'application/json' };
  const request = new Request(new URL(FILES, world.hub.url), { method: 'POST', body, headers });
  return world.alice.send(await signRequest(request, key, world.hub.clock.now()));
}
