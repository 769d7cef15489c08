import assert from 'node:assert/strict';
import { openFixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { compat, mintKey, mustRefuseCompat } from './_desk.ts';

describe('models.compatGet', () => {
  it('gives one model, its id percent-encoded, and refuses the others', async () => {
    const world = await openFixture();
    const key = await mintKey(world.alice);
    assert.deepEqual(mustOk(await compat(world, '/v1/models/hub%2Fecho', key)), {
      id: 'hub/echo',
      object: 'model',
      created: 0,
      owned_by: 'hub',
    });
    mustRefuseCompat(await compat(world, '/v1/models/gpt-none', key), 404, 'not-found');
    mustRefuseCompat(await compat(world, '/v1/models/hub%2Fecho', undefined), 401, 'api-key');
    mustRefuseCompat(await compat(world, '/v1/models/%00', key), 400, 'bad-path');
    await world.close();
  });
});
