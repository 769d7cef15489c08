import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustRefuse } from '../harness/must.ts';

describe('tags of the house', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('are refused from everybody else, however they are spelled', async () => {
    for (const tag of ['starter', 'Demand', 'TRIAL', 'bonus:welcome', 'bonus:starter']) {
      const answer = await world.alice.post('/api/v1/tasks', {
        requester: world.alice.account,
        title: 'Looks like a task of the hub',
        description: 'It is none.',
        tags: ['web', tag],
        deadline: new Date(world.hub.clock.now() + 86_400_000).toISOString(),
      });
      mustRefuse(answer, 400, 'unknown-field-value');
    }
  });
});
