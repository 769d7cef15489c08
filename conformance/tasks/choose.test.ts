import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { choose, claimBy, offer, PITCHED, PRICE } from './_pitching.ts';
import { act, claim, events, money, names, publish, read, REWARD, type Body } from './_work.ts';

describe('tasks.choose', () => {
  let world: Fixture;
  beforeEach(async () => {
    world = await openFixture();
    await world.fund(world.alice, '10000000');
  });
  afterEach(() => world.close());

  const economics = async (id: string): Promise<Body> =>
    mustOk(await world.anyone.get(`/api/v1/tasks/${id}/economics`));

  it('makes the price the reward and frees the rest of the escrow at once', async () => {
    const { alice, bob, hub } = world;
    const task = await publish(alice, PITCHED);
    assert.deepEqual(await money(alice), ['10000000', '1000000', '9000000']);
    const chosen = mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    assert.deepEqual(
      [chosen['state'], chosen['paymentState'], at(chosen, 'refunded', 'amount')],
      ['open', 'escrowed', '800000'],
    );
    assert.deepEqual(await money(alice), ['10000000', '200000', '9800000']);
    const until = new Date(hub.clock.now() + 3_600_000).toISOString();
    assert.deepEqual(names(chosen['next']), ['tasks.comment'], 'the claim is not the requester’s');
    const claimCall = at(await read(world, task.id), 'next', 0) as Body;
    assert.deepEqual(
      [claimCall['action'], claimCall['who'], claimCall['until']],
      ['tasks.claim', bob.account, until],
    );
    const { refunded, held, plan, posted } = await economics(task.id);
    assert.deepEqual(
      [posted, at(held, 'amount'), at(plan, 'worker'), at(refunded, 'amount')],
      [REWARD, PRICE, '194000', '800000'],
    );
    assert.deepEqual(
      [at(refunded, 'why'), at(refunded, 'transferId')],
      ['pitch.chosen', chosen['transferId']],
    );
    const conservation = mustOk(await world.anyone.get('/api/v1/economy/conservation'));
    assert.deepEqual(conservation['differences'], []);
  });

  it('raises the revision with a new digest, under which the winner is paid', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, PITCHED);
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    const agreed = await read(world, task.id);
    assert.deepEqual([at(agreed, 'reward', 'amount'), at(agreed, 'terms', 'revision')], [PRICE, 2]);
    const digest = at(agreed, 'terms', 'digest');
    assert.notEqual(digest, at(task, 'terms', 'digest'));
    const claimToken = await claim(bob, task.id);
    assert.equal(at(await read(world, task.id), 'workers', 0, 'termsDigest'), digest);
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'done' }));
    assert.deepEqual(await money(bob), ['194000', '0', '194000']);
    assert.deepEqual(await money(alice), ['9800000', '0', '9800000']);
    assert.deepEqual(await events(world, task.id), [
      'task.published',
      'pitch.offered',
      'pitch.chosen',
      'task.claimed',
      'task.accepted',
      'task.paid',
    ]);
  });

  it('moves nothing and keeps the terms at the full price, and on unpaid work', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, PITCHED);
    const chosen = mustOk(await choose(alice, task.id, await offer(bob, task.id, REWARD)));
    assert.deepEqual([chosen['refunded'], chosen['transferId']], [undefined, undefined]);
    assert.deepEqual((await read(world, task.id))['terms'], task['terms']);
    assert.deepEqual(await money(alice), ['10000000', '1000000', '9000000']);
    const unpaid = await publish(alice, { ...PITCHED, rewardAmount: undefined });
    const plan = { agentId: bob.account, plan: 'For nothing.' };
    const { id } = mustOk(await act(bob, unpaid.id, 'pitch', plan));
    mustOk(await choose(alice, unpaid.id, String(id)));
    await claim(bob, unpaid.id);
  });

  it('keeps the task for the winner alone, by id and in the queue', async () => {
    const { alice, bob } = world;
    const carol = await world.agent();
    const task = await publish(alice, PITCHED);
    const early = mustRefuse(await claimBy(bob, task.id), 400, 'pitch-required');
    assert.match(String(early['hint']), /pitch/);
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    const other = mustRefuse(await claimBy(carol, task.id), 400, 'not-chosen');
    assert.equal(other['retryAfterSeconds'], 3_600);
    assert.match(String(other['hint']), /hour/);
    const idle = mustOk(await carol.post('/api/v1/tasks/claim', {}));
    assert.equal(idle['work'], null, 'the queue offers it to no other worker');
    const dear = mustOk(await bob.post('/api/v1/tasks/claim', { minReward: '200001' }));
    assert.equal(dear['work'], null, 'nor to the winner if it pays less than it asks for');
    const cancelled = await act(alice, task.id, 'cancel', { requester: alice.account });
    mustRefuse(cancelled, 400, 'already-claimed');
    await publish(alice, { rewardAmount: '900000' });
    const taken = mustOk(await bob.post('/api/v1/tasks/claim', {}));
    assert.equal(at(taken, 'work', 'id'), task.id, 'before work that pays more');
    assert.equal(at(taken, 'deliver', 'pays', 'worker'), '194000');
    assert.equal(at(taken, 'work', 'state'), 'held');
  });

  it('lapses after an hour, whether the job ran or not, and costs the winner 2 karma', async () => {
    const { alice, hub } = world;
    for (const ran of [true, false]) {
      const bob = await world.agent();
      const task = await publish(alice, PITCHED);
      mustOk(await choose(alice, task.id, await offer(bob, task.id)));
      hub.clock.advance(3_599);
      if (ran) await hub.runJob('leaseExpiry');
      assert.equal((await events(world, task.id)).at(-1), 'pitch.chosen');
      hub.clock.advance(1);
      if (ran) await hub.runJob('leaseExpiry');
      mustRefuse(await claimBy(bob, task.id), 400, 'pitch-required');
      assert.equal((await events(world, task.id)).at(-1), 'pitch.lapsed');
      const karma = mustOk(await bob.get('/api/v1/me'))['karma'];
      assert.equal(at(karma, 'total'), -2);
      mustOk(await act(alice, task.id, 'cancel', { requester: alice.account }));
      const { refunded, held } = await economics(task.id);
      assert.deepEqual(
        [at(refunded, 'amount'), at(refunded, 'why'), held],
        [REWARD, 'task.withdrawn', undefined],
        'everything went back, in two parts',
      );
    }
    assert.deepEqual(await money(alice), ['10000000', '0', '10000000']);
  });

  it('never keeps a task past its deadline', async () => {
    const { alice, bob, hub } = world;
    const deadline = new Date(hub.clock.now() + 600_000).toISOString();
    const task = await publish(alice, { ...PITCHED, deadline });
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    assert.equal(at(await read(world, task.id), 'next', 0, 'until'), deadline);
    hub.clock.advance(600);
    assert.equal((await read(world, task.id))['state'], 'expired');
    assert.deepEqual(await money(alice), ['10000000', '0', '10000000']);
    assert.equal(at(mustOk(await bob.get('/api/v1/me')), 'karma', 'total'), 0);
  });

  it('lets the winner try again after a refused result, until another is chosen', async () => {
    const { alice, bob } = world;
    const carol = await world.agent();
    const task = await publish(alice, PITCHED);
    const second = await offer(carol, task.id, '100000');
    mustOk(await choose(alice, task.id, await offer(bob, task.id)));
    const claimToken = await claim(bob, task.id);
    const missed = mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'no' }));
    assert.deepEqual(names(missed['next']), ['tasks.claim', 'tasks.comment']);
    assert.ok(names((await read(world, task.id))['next']).includes('tasks.pitch'), 'to others');
    mustRefuse(await claimBy(carol, task.id), 400, 'pitch-required');
    const retry = at(missed, 'retry') as Body;
    const again = mustOk(await bob.post(String(retry['path']), retry['body']));
    mustOk(await act(bob, task.id, 'fail', { claimToken: again['claimToken'] }));
    mustOk(await choose(alice, task.id, second));
    mustRefuse(await claimBy(bob, task.id), 400, 'not-chosen');
    assert.deepEqual(await money(alice), ['10000000', '100000', '9900000']);
    assert.deepEqual(at(await read(world, task.id), 'terms', 'revision'), 3);
    const { refunded } = await economics(task.id);
    assert.equal(at(refunded, 'amount'), '900000');
    await claim(carol, task.id);
  });

  it('answers a repeat with the first result and frees once', async () => {
    const { alice, bob } = world;
    const task = await publish(alice, PITCHED);
    const [pitchId, over] = [await offer(bob, task.id), { idempotencyKey: 'k' }];
    const first = mustOk(await choose(alice, task.id, pitchId, over));
    const again = mustOk(await choose(alice, task.id, pitchId, over));
    assert.deepEqual(again, { ...first, repeated: true });
    const other = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await choose(alice, task.id, other, over), 400, 'idempotency-mismatch');
    assert.deepEqual(await money(alice), ['10000000', '200000', '9800000']);
  });

  it('binds no worker below its price, and none that lapsed or cannot claim', async () => {
    const { alice, bob, hub } = world;
    const [carol, dave] = [await world.agent(), await world.agent()];
    const task = await publish(alice, PITCHED);
    const dear = await offer(carol, task.id, REWARD);
    const lapsed = await offer(bob, task.id);
    mustOk(await choose(alice, task.id, lapsed));
    hub.clock.advance(3_600);
    const decided = mustRefuse(await choose(alice, task.id, lapsed), 400, 'decided');
    assert.equal(decided['field'], 'body.pitchId');
    mustRefuse(await choose(alice, task.id, dear), 400, 'decided');
    const fits = await offer(dave, task.id);
    mustOk(await choose(alice, task.id, fits));
    mustOk(await act(dave, task.id, 'fail', { claimToken: await claim(dave, task.id) }));
    mustRefuse(await choose(alice, task.id, fits), 400, 'decided');
    assert.deepEqual(await money(alice), ['10000000', '200000', '9800000']);
  });

  it('refuses in order of precedence', async () => {
    const { alice, bob } = world;
    const nobody = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
    mustRefuse(await choose(alice, nobody, nobody), 404, 'not-found');
    const plain = await publish(alice);
    const foreign = { requester: bob.account };
    mustRefuse(await choose(alice, plain.id, nobody, foreign), 401, 'wrong-owner');
    mustRefuse(await choose(bob, plain.id, nobody), 400, 'not-a-party');
    await claim(bob, plain.id);
    const mode = mustRefuse(await choose(alice, plain.id, nobody), 400, 'wrong-mode');
    assert.match(String(mode['hint']), /GET \/api\/v1\/tasks|mode/);
    const task = await publish(alice, PITCHED);
    mustRefuse(await choose(alice, task.id, nobody), 404, 'not-found');
    const pitchId = await offer(bob, task.id);
    mustOk(await choose(alice, task.id, pitchId));
    const kept = mustRefuse(await choose(alice, task.id, nobody), 400, 'already-claimed');
    assert.equal(kept['retryAfterSeconds'], 3_600);
    const claimToken = await claim(bob, task.id);
    mustRefuse(await choose(alice, task.id, nobody), 400, 'already-claimed');
    mustOk(await act(bob, task.id, 'submit', { claimToken, result: 'done' }));
    const over = mustRefuse(await choose(alice, task.id, nobody), 400, 'wrong-state');
    assert.deepEqual(names(over['next']), ['tasks.comment']);
  });
});
