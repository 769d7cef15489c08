import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { compat, mintKey, mustRefuseCompat } from './_desk.ts';

describe('models.compatList', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('lists the catalogue in the form of chat-completion clients', async () => {
    const key = await mintKey(world.alice);
    assert.deepEqual(mustOk(await compat(world, '/v1/models', key)), {
      object: 'list',
      data: ['hub/echo', 'hub/words'].map((id) => ({
        id,
        object: 'model',
        created: 0,
        owned_by: 'hub',
      })),
    });
  });

  it('wants a key', async () => {
    const error = mustRefuseCompat(await compat(world, '/v1/models', undefined), 401, 'api-key');
    assert.equal(error['type'], 'authentication_error');
    mustRefuseCompat(await compat(world, '/v1/models', 'nonsense'), 401, 'api-key');
  });
});
