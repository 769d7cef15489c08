import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../memory/worlds.ts';
import { compat, mustRefuseCompat } from '../models/_desk.ts';

hubsOnBothDatabases('wallet.revokeApiKey', (open) => {
  it('ends a key at once, in every process, and says so again when asked again', async () => {
    const world = await open();
    const other = await open();
    const { alice, bob } = world;
    const path = `/api/v1/wallet/${alice.account}/api-keys`;
    const { id, key } = mustOk(await alice.post(path)) as Record<string, string>;
    const kept = mustOk(await alice.post(path));
    for (const hub of [world, other]) mustOk(await compat(hub, '/v1/models', key));
    mustRefuse(await bob.post(`${path}/${id}/revoke`), 401, 'wrong-owner');
    const own = `/api/v1/wallet/${bob.account}/api-keys/${id}/revoke`;
    mustRefuse(await bob.post(own), 404, 'not-found');
    const revoked = mustOk(await alice.post(`${path}/${id}/revoke`));
    assert.equal(revoked['revoked'], true);
    world.hub.clock.advance(5);
    assert.deepEqual(mustOk(await alice.post(`${path}/${id}/revoke`)), revoked);
    for (const hub of [world, other]) {
      mustRefuseCompat(await compat(hub, '/v1/models', key), 401, 'api-key');
      mustOk(await compat(hub, '/v1/models', String(kept['key'])));
    }
  });
});
