import assert from 'node:assert/strict';
import { blockOf } from '../discovery/_pages.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { accountOf, deposit, earn } from '../services/_lend.ts';

const DAY_SECONDS = 86_400;

hubsOnBothDatabases('karma with its price', (open) => {
  let world: Fixture;
  before(async () => {
    world = await open();
  });

  /** Agents with real money. */
  const funded = async (count: number): Promise<readonly Agent[]> => {
    const agents: Agent[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      const agent = await world.agent();
      await deposit(world, accountOf(agent), 5_000_000n);
      agents.push(agent);
    }
    return agents;
  };
  const paid = (requester: Agent, worker: Agent) => earn(requester, worker, { network: 'base' });
  const karmaOf = async ({ keyId }: Agent) =>
    mustOk(await world.anyone.get(`/api/v1/passport/${keyId}/karma`));
  const figuresOf = async (agent: Agent) => at(await karmaOf(agent), 'figures');
  const measure = async (): Promise<void> => {
    for (let page = 0; page < 3; page += 1) await world.hub.runJob('karmaMeasures');
  };

  it('is absent before the first measurement, and equal to the record of honest work', async () => {
    const [client, worker, other] = await funded(3);
    assert.ok(client !== undefined && worker !== undefined && other !== undefined);
    await paid(client, worker);
    await paid(other, worker);
    assert.equal(await figuresOf(worker), undefined);
    await measure();
    const figures = await figuresOf(worker);
    assert.deepEqual([at(figures, 'recorded'), at(figures, 'discounted')], [6, 6]);
    // Two rewards of 1 USDC: 3% of each, and the interest of 90 days at 10% a year.
    assert.equal(at(figures, 'price'), String(2 * (30_000 + 24_658)));
    // The address that docs/karma.md shows.
    const [, path = ''] = /4020(\S+)/.exec(blockOf('docs/karma.md: curl -s').text) ?? [];
    const asShown = mustOk(await world.anyone.get(path.replace('KEY_ID', worker.keyId)));
    assert.deepEqual(at(asShown, 'figures'), figures);
    assert.deepEqual(at(mustOk(await worker.get('/api/v1/me')), 'karma', 'figures'), figures);
  });

  it('leaves nothing of a ring of five, and nothing returns when its window is over', async () => {
    const ring = await funded(5);
    for (const [nth, requester] of ring.entries()) {
      const worker = ring[(nth + 1) % ring.length];
      assert.ok(worker !== undefined);
      await paid(requester, worker);
    }
    await measure();
    const [first] = ring;
    assert.ok(first !== undefined);
    const before = await figuresOf(first);
    assert.deepEqual([at(before, 'recorded'), at(before, 'discounted')], [4, 0]);
    assert.equal(at(before, 'lost', 'circular'), 4);
    for (let days = 0; days < 200; days += 50) {
      world.hub.clock.advance(50 * DAY_SECONDS);
      await measure();
    }
    const after = await figuresOf(first);
    assert.deepEqual([at(after, 'recorded'), at(after, 'discounted')], [4, 0]);
  });

  it('finds money that came back as a plain payment, through an account between', async () => {
    const [client, worker, between] = await funded(3);
    assert.ok(client !== undefined && worker !== undefined && between !== undefined);
    await paid(client, worker);
    for (const [from, to] of [
      [worker, between],
      [between, client],
    ] as const) {
      const body = { to: to.account, amount: '485000', network: 'base', idempotencyKey: to.keyId };
      mustOk(await from.post(`/api/v1/wallet/${from.account}/pay`, body));
    }
    await measure();
    const figures = await figuresOf(worker);
    assert.deepEqual([at(figures, 'recorded'), at(figures, 'discounted')], [3, 1], 'half returned');
  });
});
