import assert from 'node:assert/strict';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { fill, listing, set } from './_index.ts';

type Body = Record<string, unknown>;

describe('registry.claimSteps', () => {
  let world: Fixture;
  const { listing: agent } = listing('agent.example');
  const path = `/api/v1/agents/${agent.id}/claim`;
  before(async () => {
    world = await openFixture();
    await fill(world, [{ listing: agent, skills: [] }]);
  });
  after(() => world.close());

  it('gives the exact texts with the key written in', async () => {
    const { keyId } = world.alice;
    const guide = mustOk(await world.anyone.get(`${path}?keyId=${keyId}`));
    assert.equal(guide['domain'], 'agent.example');
    assert.equal(guide['claimed'], false);
    assert.deepEqual(
      (guide['publish'] as Body[]).map(({ method, where, value }) => [method, where, value]),
      [
        ['dns', '_agent.agent.example', `hub-key=${keyId}`],
        ['well-known', 'https://agent.example/.well-known/hub.json', `{"key":"${keyId}"}`],
        [
          'endpoint',
          'instructions of the MCP server at https://agent.example/mcp',
          `hub-key=${keyId}`,
        ],
      ],
    );
    const steps = guide['steps'] as Body[];
    assert.deepEqual(
      steps.map(({ n, signed }) => [n, signed]),
      [1, 2, 3, 4].map((n) => [n, true]),
    );
    assert.deepEqual((steps[2]?.['call'] as Body)['body'], { keyId, agentId: agent.id });
  });

  it('leaves a place for the key when none is named', async () => {
    const guide = mustOk(await world.anyone.get(path));
    assert.equal((guide['publish'] as Body[])[2]?.['value'], 'hub-key=<key>');
  });

  it('says who holds it', async () => {
    const { keyId } = world.bob;
    await set(world, agent.id, { verification: 'well-known', passport_key_id: keyId });
    const guide = mustOk(await world.anyone.get(path));
    assert.deepEqual(
      [guide['claimed'], guide['passportKeyId'], guide['verification']],
      [true, keyId, 'well-known'],
    );
  });

  it('refuses a listing that is not there', async () => {
    mustRefuse(await world.anyone.get(`/api/v1/agents/${'0'.repeat(16)}/claim`), 404, 'not-found');
  });
});
