import assert from 'node:assert/strict';
import { instant } from '../../domain/instant.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { fill, listing } from './_index.ts';

const AT = Date.parse('2026-11-20T10:00:00Z');
const PATH = `/v0.1/servers/${encodeURIComponent('example.agent/mcp')}/versions`;

describe('registry.serverVersions', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    for (let n = 0; n < 30; n += 1) {
      const lastCheckedAt = instant(AT + n * 60_000);
      await fill(world, [listing('agent.example', { version: `1.${n}.0`, lastCheckedAt })]);
    }
  });
  after(() => world.close());

  const versions = async (query: string): Promise<readonly unknown[]> => {
    const body = mustOk(await world.anyone.get(PATH + query));
    const servers = body['servers'] as { readonly server: Record<string, unknown> }[];
    return servers.map(({ server }) => server['version']);
  };

  it('lists the version that is served, and earlier ones when asked', async () => {
    assert.deepEqual(await versions(''), ['1.29.0']);
    const all = await versions('?include_deleted=true');
    assert.deepEqual(all.slice(0, 3), ['1.29.0', '1.28.0', '1.27.0']);
  });

  it('stores 20 earlier versions of a server that reports a new one at each probe', async () => {
    const all = await versions('?include_deleted=true');
    assert.equal(all.length, 21);
    assert.equal(all.at(-1), '1.9.0');
  });

  it('refuses a name that was never seen', async () => {
    const path = `/v0.1/servers/${encodeURIComponent('example.nobody/mcp')}/versions`;
    mustRefuse(await world.anyone.get(path), 404, 'not-found');
  });
});
