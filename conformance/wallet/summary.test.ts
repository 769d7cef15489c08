import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';
import { cancel, publishPaid } from './_work.ts';

const DAY_SECONDS = 86_400;

describe('wallet.summary', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  const summary = async (agent: Agent, query = ''): Promise<Record<string, unknown>> =>
    mustOk(await agent.get(`${walletPath(agent)}/summary${query}`));

  it('adds up by reason, holds apart from money that moved', async () => {
    const agent = await world.agent();
    await world.fund(agent, '70000');
    await world.fund(agent, '30000');
    await cancel(agent, await publishPaid(agent));
    await publishPaid(agent, { rewardAmount: '5000' });
    const body = { to: world.bob.account, amount: '250', idempotencyKey: 'summary' };
    mustOk(await agent.post(`${walletPath(agent)}/pay`, body));
    const answer = await summary(agent);
    const line = (reason: string) =>
      (answer['byReason'] as readonly Record<string, unknown>[]).find(
        (each) => each['reason'] === reason,
      );
    const nothing = { in: '0', out: '0', held: '0', released: '0' };
    assert.deepEqual(line('faucet'), { ...nothing, reason: 'faucet', in: '100000', count: 2 });
    assert.deepEqual(line('pay'), { ...nothing, reason: 'pay', out: '250', count: 1 });
    assert.deepEqual(line('task.escrow'), {
      ...nothing,
      reason: 'task.escrow',
      held: '45000',
      count: 2,
    });
    assert.deepEqual(line('task.refund'), {
      ...nothing,
      reason: 'task.refund',
      released: '40000',
      count: 1,
    });
    assert.deepEqual(
      (answer['byReason'] as readonly Record<string, unknown>[]).map((each) => each['reason']),
      ['faucet', 'pay', 'task.escrow', 'task.refund'],
      'in the order of the closed set',
    );
    assert.deepEqual(answer['totals'], {
      in: '100000',
      out: '250',
      held: '45000',
      released: '40000',
      count: 6,
    });
    const wallet = mustOk(await agent.get(walletPath(agent)));
    assert.deepEqual([wallet['balance'], at(wallet, 'held', 'total')], ['99750', '5000']);
    assert.deepEqual(wallet['summary30d'], answer['byReason']);
  });

  it('counts back from now in whole days', async () => {
    const agent = await world.agent();
    await world.fund(agent, '1');
    world.hub.clock.advance(DAY_SECONDS);
    await world.fund(agent, '10');
    const now = world.hub.clock.now();
    const day = await summary(agent, '?days=1');
    assert.equal(at(day, 'totals', 'in'), '11', 'the first second of the period belongs to it');
    assert.deepEqual(
      [day['from'], day['to']],
      [new Date(now - DAY_SECONDS * 1000).toISOString(), new Date(now).toISOString()],
    );
    world.hub.clock.advance(1);
    assert.equal(at(await summary(agent, '?days=1'), 'totals', 'in'), '10');
    assert.equal(at(await summary(agent, '?days=2'), 'totals', 'in'), '11');
  });

  it('takes 30 days when none are named, and at most 365', async () => {
    assert.equal((await summary(world.alice))['days'], 30);
    assert.equal((await summary(world.alice, '?days=366'))['days'], 365);
  });

  for (const query of ['days=0', 'days=-1', 'days=1.5', 'days=week']) {
    it(`refuses ?${query}`, async () => {
      const answer = await world.alice.get(`${walletPath(world.alice)}/summary?${query}`);
      mustRefuse(answer, 400, 'bad-request');
    });
  }

  it('refuses an unknown network', async () => {
    const answer = await world.alice.get(`${walletPath(world.alice)}/summary?network=moon`);
    mustRefuse(answer, 400, 'network-unknown');
  });

  onlyTheOwner(() => world, 'GET', '/summary');
});
