import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing } from './_index.ts';

const KEY = 'local.hub/measured';

describe('registry.serverVersion', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await fill(world, [
      listing('agent.example', { version: '1.0.0' }),
      listing('gone.example', { availability: 'unreachable', version: '1.0.0' }),
    ]);
    await fill(world, [listing('agent.example', { version: '1.1.0+build/7' })]);
  });
  after(() => world.close());

  const at = (name: string, version: string, query = ''): string =>
    `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}${query}`;

  it('finds a version by its encoded name, and the latest one', async () => {
    for (const version of ['latest', '1.1.0+build/7']) {
      const body = mustOk(await world.anyone.get(at('example.agent/mcp', version)));
      const server = body['server'] as Record<string, unknown>;
      assert.equal(server['version'], '1.1.0+build/7');
      const meta = body['_meta'] as Record<string, Record<string, unknown>>;
      assert.equal(meta[KEY]?.['isLatest'], true);
    }
  });

  it('shows a version that is no longer served as deleted, without measurements', async () => {
    const path = at('example.agent/mcp', '1.0.0');
    mustRefuse(await world.anyone.get(path), 404, 'not-found');
    const body = mustOk(await world.anyone.get(`${path}?include_deleted=true`));
    const meta = body['_meta'] as Record<string, Record<string, unknown>>;
    assert.equal(meta[KEY]?.['status'], 'deleted');
    assert.equal(meta[KEY]?.['uptime'], undefined);
  });

  it('refuses unknown servers, and those that do not answer unless they are asked for', async () => {
    mustRefuse(await world.anyone.get(at('example.nobody/mcp', 'latest')), 404, 'not-found');
    mustRefuse(await world.anyone.get(at('example.gone/mcp', 'latest')), 404, 'not-found');
    mustOk(await world.anyone.get(at('example.gone/mcp', 'latest', '?include_deleted=true')));
  });

  it('refuses a name that no server can have', async () => {
    const path = '/v0.1/servers/..%2F..%2Fetc%2Fpasswd/versions/latest';
    mustRefuse(await world.anyone.get(path), 400, 'bad-path');
  });
});
