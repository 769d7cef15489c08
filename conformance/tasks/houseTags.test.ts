import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';

describe('tags of the house', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('are refused from everybody else, however they are spelled', async () => {
    for (const tag of [
      ...['starter', 'Demand', 'TRIAL', 'bonus', 'bonus:welcome', 'bonus:x', 'board', 'board:1'],
      ...['sandbox', 'Sandbox:hello', 'house', 'HOUSE:game'],
    ]) {
      const answer = await world.alice.post('/api/v1/tasks', {
        requester: world.alice.account,
        title: 'Looks like a task of the hub',
        description: 'It is none.',
        tags: ['web', tag],
        deadline: new Date(world.hub.clock.now() + 86_400_000).toISOString(),
      });
      const { error } = mustRefuse(answer, 400, 'unknown-field-value');
      assert.match(String(error), /marks tasks of the hub itself/, tag);
    }
  });

  it('are refused in the steps of a chain as well', async () => {
    await world.fund(world.alice, '1000000');
    const deadline = new Date(world.hub.clock.now() + 86_400_000).toISOString();
    const step = {
      title: 'A step',
      description: 'Do it.',
      rewardAmount: '10000',
      deadline,
      tags: ['sandbox:step'],
    };
    const chain = { requester: world.alice.account, title: 'A chain', steps: [step, step] };
    const answer = await world.alice.post('/api/v1/chains', chain);
    assert.equal(answer.status, 400, answer.text);
  });

  it('are taken where they are a part of another word', async () => {
    const { alice, hub } = world;
    const deadline = new Date(hub.clock.now() + 86_400_000).toISOString();
    const tags = ['sandboxed', 'household', 'boarding', 'my:sandbox'];
    const task = {
      requester: alice.account,
      title: 'A task',
      description: 'Do it.',
      tags,
      deadline,
    };
    mustOk(await alice.post('/api/v1/tasks', task));
  });
});
