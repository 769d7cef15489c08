import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, publish, read, type Body } from './_work.ts';

describe('tasks.claimNext', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  const next = async (body: Body = {}, agent = world.bob, query = ''): Promise<Body> =>
    mustOk(await agent.post(`/api/v1/tasks/claim${query}`, body));

  it('is idle without work, with 200', async () => {
    assert.deepEqual(await next(), { work: null, wait: 0 });
  });

  it('needs no body', async () => {
    const request = await world.bob.signed('POST', '/api/v1/tasks/claim');
    assert.deepEqual(mustOk(await world.bob.send(request)), { work: null, wait: 0 });
  });

  it('gives the best paid, then the oldest, with the exact call that pays', async () => {
    const old = await publish(world.alice, { rewardAmount: '5000' });
    await publish(world.alice, { rewardAmount: '5000' });
    const best = await publish(world.alice, {
      rewardAmount: '6000',
      acceptance: { kind: 'contains', values: ['x'] },
    });
    const first = await next();
    assert.equal(at(first, 'work', 'id'), best.id);
    assert.equal(at(first, 'work', 'state'), 'held');
    const deliver = first['deliver'] as Body;
    assert.deepEqual(
      {
        ...deliver,
        leaseEndsAt: Date.parse(String(deliver['leaseEndsAt'])) - world.hub.clock.now(),
        renewableUntil: Date.parse(String(deliver['renewableUntil'])) - world.hub.clock.now(),
      },
      {
        method: 'POST',
        path: `/api/v1/tasks/${best.id}/submit`,
        body: { claimToken: first['claimToken'], result: '<your result>' },
        accepts: { kind: 'contains', values: ['x'] },
        leaseEndsAt: 1_800_000,
        renewableUntil: 7_200_000,
        attemptsLeft: 2,
        pays: {
          worker: '5820',
          hub: '180',
          judges: '0',
          loan: '0',
          asset: 'USDC',
          network: 'sandbox',
          disputeWindowSeconds: 86_400,
        },
      },
    );
    assert.equal(at(await next(), 'work', 'id'), old.id);
  });

  it('matches skills and the least reward', async () => {
    const skilled = await publish(world.alice, {
      rewardAmount: '9000',
      requiredSkills: ['a', 'b'],
    });
    const plain = await publish(world.alice, { rewardAmount: '5000' });
    assert.equal((await next({ minReward: '9001' }))['work'], null);
    assert.equal(
      at(await next({ skills: ['a'] }), 'work', 'id'),
      plain.id,
      'required beyond declared',
    );
    assert.equal((await next({ skills: ['a'] }))['work'], null);
    assert.equal(at(await next({}), 'work', 'id'), skilled.id, 'absent skills filter nothing');
  });

  it('never offers threads, pitches, open or unpaid work, or what is one’s own', async () => {
    await publish(world.alice, { tags: ['thread'], rewardAmount: undefined });
    await publish(world.alice, { tags: ['pitch'] });
    await publish(world.alice, { mode: 'open' });
    await publish(world.alice, { rewardAmount: undefined });
    assert.equal((await next())['work'], null);
    await publish(world.alice);
    assert.equal((await next({}, world.alice))['work'], null);
  });

  it('offers work that one gave back after everything else', async () => {
    const failed = await publish(world.alice, { rewardAmount: '9000' });
    const token = await claim(world.bob, failed.id);
    mustOk(await act(world.bob, failed.id, 'fail', { claimToken: token }));
    const other = await publish(world.alice, { rewardAmount: '5000' });
    assert.equal(at(await next(), 'work', 'id'), other.id);
    assert.equal(at(await next(), 'work', 'id'), failed.id);
  });

  it('wakes when work is published, and lowers the wait to 30', async () => {
    const started = performance.now();
    const waiting = next({}, world.bob, '?wait=500');
    const task = await publish(world.alice);
    const claimed = await waiting;
    assert.equal(at(claimed, 'work', 'id'), task.id);
    assert.equal(claimed['wait'], 30);
    assert.ok(performance.now() - started < 10_000, 'it did not sleep the wait out');
  });

  it('gives one task to one of many that wait', async () => {
    const agents = await Promise.all([world.agent(), world.agent(), world.agent()]);
    const waiting = agents.map((agent) => next({}, agent, '?wait=2'));
    await publish(world.alice);
    const claimed = await Promise.all(waiting);
    assert.equal(claimed.filter(({ work }) => work !== null).length, 1);
  });

  it('takes back a lapsed lease for the next worker', async () => {
    const task = await publish(world.alice);
    await claim(world.bob, task.id);
    const carol = await world.agent();
    assert.equal((await next({}, carol))['work'], null);
    world.hub.clock.advance(1_800);
    assert.equal(at(await next({}, carol), 'work', 'id'), task.id);
    assert.equal((await next({}, world.bob))['work'], null, 'and not at once for who lapsed');
  });

  it('refuses more leases than the standing carries, and acting for another', async () => {
    for (let count = 0; count < 4; count += 1) await publish(world.alice);
    for (let count = 0; count < 3; count += 1) assert.ok((await next())['work']);
    mustRefuse(await world.bob.post('/api/v1/tasks/claim', {}), 400, 'claim-limit');
    const other = { agentId: world.alice.account };
    mustRefuse(await world.bob.post('/api/v1/tasks/claim', other), 401, 'wrong-owner');
    mustRefuse(
      await world.bob.post('/api/v1/tasks/claim', { network: 'mars' }),
      400,
      'network-unknown',
    );
  });

  it('pays the account that payee names', async () => {
    const carol = await world.agent();
    const task = await publish(world.alice);
    await next({ payee: carol.account });
    assert.equal(at((await read(world, task.id))['workers'], 0, 'payee'), carol.account);
  });
});
