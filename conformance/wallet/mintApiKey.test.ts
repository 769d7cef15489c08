import assert from 'node:assert/strict';
import { operations, type DeclaredOperation } from '../harness/contract.ts';
import { plain } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { compat, mintKey } from '../models/_desk.ts';

hubsOnBothDatabases('wallet.mintApiKey', (open) => {
  it('shows a key once and keeps its digest alone', async () => {
    const world = await open();
    const { alice } = world;
    const path = `/api/v1/wallet/${alice.account}/api-keys`;
    const minted = mustOk(await alice.post(path, { label: 'editor' }));
    const key = String(minted['key']);
    assert.match(key, /^hub_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(
      [minted['hint'], minted['label'], minted['door'], minted['owner']],
      [key.slice(0, 10), 'editor', '/v1', alice.account],
    );
    mustOk(await compat(world, '/v1/models', key));
    const rows = await world.hub.running.hub.store.read((db) => db.knex('api_keys'));
    assert.ok(!JSON.stringify(rows).includes(key.slice(10)), 'nowhere in the table');
    mustRefuse(await world.bob.post(path, {}), 401, 'wrong-owner');
    mustRefuse(await world.anyone.post(path, {}), 401, 'unsigned');
  });

  it('gives an account 100 that are not revoked, also to a hundred at once', async () => {
    const world = await open();
    const path = `/api/v1/wallet/${world.bob.account}/api-keys`;
    const answers = await Promise.all(Array.from({ length: 105 }, () => world.bob.post(path, {})));
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.length, 100);
    const refused = answers.find(({ status }) => status !== 200);
    assert.equal(refused?.body['code'], 'ceiling-reached');
    mustOk(await world.bob.post(`${path}/${String(at(good[0]?.body, 'id'))}/revoke`, {}));
    mustOk(await world.bob.post(path, {}));
  });

  it('is good for nothing but the compatible door: every other operation refuses it', async () => {
    const world = await open();
    const key = await mintKey(world.alice);
    let signed = 0;
    for (const operation of operations) {
      if (operation.raw['x-auth'] === 'api-key' || isStream(operation)) continue;
      const path = operation.path.replaceAll(/\{owner\}/g, world.alice.account);
      const target = path.replaceAll(/\{[A-Za-z]+\}/g, '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90');
      const request = plain(world.hub, operation.method, target, {});
      const [bare, bearing] = [request.clone(), request.clone()];
      bearing.headers.set('authorization', `Bearer ${key}`);
      const [without, withKey] = [await world.anyone.send(bare), await world.anyone.send(bearing)];
      assert.deepEqual(
        [withKey.status, withKey.body['code']],
        [without.status, without.body['code']],
        `${operation.operationId} takes an API key for something`,
      );
      if (operation.raw['x-auth'] !== 'signed') continue;
      signed += 1;
      assert.ok(withKey.status >= 400, operation.operationId);
    }
    assert.ok(signed > 60, `${signed} signed operations were tried`);
  });
});

function isStream({ raw }: DeclaredOperation): boolean {
  return raw['x-stream'] === 'ndjson';
}
