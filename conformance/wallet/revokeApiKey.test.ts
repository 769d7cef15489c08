import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { compat, mustRefuseCompat } from '../models/_desk.ts';

hubsOnBothDatabases('wallet.revokeApiKey', (open) => {
  it('ends a key at once, in every process, and says so again when asked again', async () => {
    const world = await open();
    const other = await open();
    const { alice, bob } = world;
    const path = `/api/v1/wallet/${alice.account}/api-keys`;
    const { id, key } = mustOk(await alice.post(path)) as Record<string, string>;
    const kept = mustOk(await alice.post(path));
    const echo = (hub: Fixture, more: object = {}, headers = {}) => {
      const messages = [{ role: 'user', content: 'Say it again.' }];
      const body = { model: 'hub/echo', messages, max_tokens: 5, ...more };
      return compat(hub, '/v1/chat/completions', key, body, headers);
    };
    const once = { 'idempotency-key': 'once' };
    await world.fund(alice, '1000');
    for (const hub of [world, other]) {
      mustOk(await compat(hub, '/v1/models', key));
      mustOk(await echo(hub));
      mustOk(await echo(hub, {}, once));
    }
    mustRefuse(await bob.post(`${path}/${id}/revoke`), 401, 'wrong-owner');
    const own = `/api/v1/wallet/${bob.account}/api-keys/${id}/revoke`;
    mustRefuse(await bob.post(own), 404, 'not-found');
    const revoked = mustOk(await alice.post(`${path}/${id}/revoke`));
    assert.equal(revoked['revoked'], true);
    world.hub.clock.advance(5);
    assert.deepEqual(mustOk(await alice.post(`${path}/${id}/revoke`)), revoked);
    for (const hub of [world, other]) {
      mustRefuseCompat(await compat(hub, '/v1/models', key), 401, 'api-key');
      for (const stream of [false, true]) {
        mustRefuseCompat(await echo(hub, { stream }), 401, 'api-key');
      }
      mustRefuseCompat(await echo(hub, {}, once), 401, 'api-key');
      mustRefuseCompat(await echo(hub, { model: 'no/such' }), 401, 'api-key');
      mustOk(await compat(hub, '/v1/models', String(kept['key'])));
    }
  });
});
