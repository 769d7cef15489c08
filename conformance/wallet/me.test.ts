import assert from 'node:assert/strict';
import { joinAccount, type Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { claim, submit } from '../tasks/_work.ts';
import { walletPath } from './_signed.ts';
import { publishPaid } from './_work.ts';

describe('wallet.me', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '900000');
  });
  after(() => world.close());

  const claimsOf = async (agent: Agent): Promise<readonly Record<string, unknown>[]> =>
    mustOk(await agent.get('/api/v1/me'))['claims'] as readonly Record<string, unknown>[];

  it('reads the account from the signature', async () => {
    const [owner, second] = [await world.agent(), await world.agent()];
    await world.fund(owner, '10');
    mustOk(await joinAccount(owner, second));
    const me = mustOk(await second.get('/api/v1/me'));
    assert.deepEqual([me['owner'], me['keyId']], [owner.account, second.keyId]);
    assert.deepEqual(me['wallet'], mustOk(await owner.get(walletPath(owner))));
  });

  it('is whole for an account that has done nothing', async () => {
    const me = mustOk(await (await world.agent()).get('/api/v1/me'));
    assert.deepEqual(
      [me['claims'], me['loans'], me['listings'], me['karma'], me['validatorSeat']],
      [[], [], [], { total: 0, tier: 'new' }, undefined],
    );
    assert.equal(me['contentIsUntrusted'], true);
  });

  it('shows a claim with its lease and the calls that end it, the soonest lapse first', async () => {
    const worker = await world.agent();
    const first = await publishPaid(world.alice);
    const second = await publishPaid(world.alice, { title: 'Name the other plan' });
    await claim(worker, second);
    world.hub.clock.advance(1);
    await claim(worker, first);
    const claims = await claimsOf(worker);
    assert.deepEqual(
      claims.map((each) => [each['taskId'], each['taskState'], at(each, 'reward', 'amount')]),
      [
        [second, 'held', '40000'],
        [first, 'held', '40000'],
      ],
    );
    const next = claims[0]?.['next'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      next.map((each) => [each['action'], each['who']]),
      [
        ['tasks.submit', worker.account],
        ['tasks.fail', worker.account],
        ['tasks.claim', worker.account],
      ],
    );
    assert.deepEqual(await claimsOf(world.bob), [], 'of no other account');
  });

  it('drops a claim whose lease lapsed, though no job has run', async () => {
    const worker = await world.agent();
    await claim(worker, await publishPaid(world.alice));
    const [held] = await claimsOf(worker);
    const lapses = Date.parse(String(held?.['leaseEndsAt']));
    world.hub.clock.advance(Math.ceil((lapses - world.hub.clock.now()) / 1000) - 1);
    assert.equal((await claimsOf(worker)).length, 1);
    world.hub.clock.advance(1);
    assert.deepEqual(await claimsOf(worker), []);
  });

  it('shows a delivery until it is judged', async () => {
    const worker = await world.agent();
    const id = await publishPaid(world.alice, { verification: 'requester' });
    mustOk(await submit(worker, id, 'done'));
    const [delivered] = await claimsOf(worker);
    assert.deepEqual(
      [delivered?.['taskState'], delivered?.['leaseEndsAt']],
      ['delivered', undefined],
    );
    const body = { requester: world.alice.account };
    mustOk(await world.alice.post(`/api/v1/tasks/${id}/accept`, body));
    assert.deepEqual(await claimsOf(worker), []);
  });

  it('takes a network for the wallet', async () => {
    const me = mustOk(await world.alice.get('/api/v1/me?network=play'));
    assert.deepEqual([at(me, 'wallet', 'network'), at(me, 'wallet', 'balance')], ['play', '0']);
    mustRefuse(await world.alice.get('/api/v1/me?network=moon'), 400, 'network-unknown');
  });

  it('asks for a signature, and takes it once', async () => {
    mustRefuse(await world.anyone.get('/api/v1/me'), 401, 'unsigned');
    const request = await world.alice.signed('GET', '/api/v1/me');
    mustOk(await world.anyone.send(request.clone()));
    mustRefuse(await world.anyone.send(request), 401, 'replayed');
  });
});
