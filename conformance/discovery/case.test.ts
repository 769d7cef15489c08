import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { casesOf, earnOnce, recorded } from './_caseWorld.ts';

describe('discovery.case', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  after(() => world.close());

  it('shows the steps, and whose record it is once three accounts did the same', async () => {
    const { bob, anyone } = world;
    await earnOnce(world, bob);
    await earnOnce(world, await world.agent());
    await recorded(world);
    const [summary] = await casesOf(world);
    const path = `/api/v1/cases/${String(summary?.['id'])}`;
    const few = mustOk(await anyone.get(path));
    const shared = { verification: 'automatic', mode: 'exclusive', networkKind: 'test' };
    assert.deepEqual(few['steps'], [
      { n: 1, op: 'tasks.claim', role: 'worker', ...shared },
      { n: 2, op: 'tasks.submit', role: 'worker', ...shared },
      { n: 3, op: 'task.reward', role: 'worker', ...shared },
    ]);
    assert.deepEqual(
      [at(few, 'source', 'account'), at(few, 'source', 'transferId'), few['cut']],
      [undefined, undefined, false],
    );
    await earnOnce(world, await world.agent(), '500000');
    await recorded(world);
    const many = mustOk(await anyone.get(path));
    assert.deepEqual(
      [at(many, 'source', 'account'), at(many, 'source', 'result', 'earned'), many['times']],
      [bob.account, '97000', 3],
    );
    assert.equal(at(many, 'best', 'net'), '485000');
  });

  it('keeps the last forty steps of a long run', async () => {
    const dave = await world.agent();
    await world.fund(dave, '5000000');
    const tasks = Array.from({ length: 25 }, (_, n) => n);
    for (const n of tasks) {
      const body = { requester: dave.account, title: `Mine ${n}`, rewardAmount: '1000' };
      const { id } = mustOk(await dave.post('/api/v1/tasks', body));
      world.hub.clock.advance(1);
      const cancel = { requester: dave.account };
      mustOk(await dave.post(`/api/v1/tasks/${String(id)}/cancel`, cancel));
      world.hub.clock.advance(1);
    }
    await earnOnce(world, dave);
    await recorded(world);
    const [newest] = await casesOf(world);
    assert.equal(newest?.['stepCount'], 40);
    const long = mustOk(await world.anyone.get(`/api/v1/cases/${String(newest['id'])}`));
    assert.deepEqual([long['cut'], at(long, 'steps', 39, 'op')], [true, 'task.reward']);
  });

  it('is 404 for an unknown case', async () => {
    mustRefuse(await world.anyone.get('/api/v1/cases/0123456789abcdef'), 404, 'not-found');
  });
});
