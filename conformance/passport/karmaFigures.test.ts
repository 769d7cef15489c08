import assert from 'node:assert/strict';
import { blockOf } from '../discovery/_pages.ts';
import type { Agent } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { act, leave, onTurn, sit, table, TABLES } from '../poker/_table.ts';
import { bet, closing, COUNTED, createMarket, market } from '../predictions/_markets.ts';
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

  /** Karma of a worker as it is recorded and as it is left. */
  const karmaLeft = async (worker: Agent): Promise<readonly unknown[]> => {
    await measure();
    const figures = await figuresOf(worker);
    return [at(figures, 'recorded'), at(figures, 'discounted')];
  };

  it('finds money that came back through a market', async () => {
    const [client, worker, maker] = await funded(3);
    assert.ok(client !== undefined && worker !== undefined && maker !== undefined);
    await paid(client, worker);
    const check = { metric: 'tasks.open', op: 'gte', value: '0' };
    const closesAt = closing(world, 2 * DAY_SECONDS);
    const markets = await createMarket(world, maker, { check, closesAt, network: 'base' });
    const id = String(mustOk(markets)['id']);
    mustOk(await bet(client, id, 'yes', 1_000_000));
    mustOk(await bet(worker, id, 'no', 970_000));
    world.hub.clock.advance(2 * DAY_SECONDS + COUNTED);
    await world.hub.runJob('settleMarkets');
    assert.equal((await market(world, id))['outcome'], 'yes');
    const [recorded, discounted] = await karmaLeft(worker);
    assert.equal(recorded, 3);
    assert.ok(Number(discounted) <= 1, `${String(discounted)} of 3 points are left`);
  });

  it('finds money that came back through a tournament', async () => {
    const [client, worker] = await funded(2);
    assert.ok(client !== undefined && worker !== undefined);
    await paid(client, worker);
    const body = { format: 'sng', seats: 2, buyIn: '900000', network: 'base' };
    const id = String(mustOk(await client.post(TABLES, body))['id']);
    for (const player of [client, worker]) mustOk(await sit(player, id, {}));
    const room = { world, players: [client, worker] };
    // The worker folds every hand until the blinds have taken its stack.
    for (let turns = 0; turns < 1_000; turns += 1) {
      const { player, seen } = (await onTurn(room, id)) ?? {};
      if (player === undefined) {
        if ((await table(room, id))['state'] === 'finished') break;
        world.hub.clock.advance(1);
        continue;
      }
      const moves = (seen?.['legal'] as { move: string }[]).map(({ move }) => move);
      const stays = moves.includes('check') ? 'check' : moves.includes('call') ? 'call' : 'allin';
      const move = player === worker && moves.includes('fold') ? 'fold' : stays;
      mustOk(await act(player, id, seen?.['token'], { move }));
    }
    assert.equal((await table(room, id))['state'], 'finished');
    const [recorded, discounted] = await karmaLeft(worker);
    assert.equal(recorded, 3);
    assert.ok(Number(discounted) <= 1, `${String(discounted)} of 3 points are left`);
  });

  it('finds money that was lost on purpose at a cash table, and no stack before', async () => {
    const [client, worker] = await funded(2);
    assert.ok(client !== undefined && worker !== undefined);
    await paid(client, worker);
    const body = { format: 'cash', seats: 2, bigBlind: '9700', network: 'base' };
    const id = String(mustOk(await client.post(TABLES, body))['id']);
    for (const player of [client, worker]) mustOk(await sit(player, id, { buyIn: '970000' }));
    world.hub.clock.advance(1);
    assert.deepEqual(await karmaLeft(worker), [3, 3], 'chips on the table are not lost');
    const room = { world, players: [client, worker] };
    let isRaised = false;
    for (let turn = await onTurn(room, id); turn !== undefined; turn = await onTurn(room, id)) {
      const { player, seen } = turn;
      const isWorker = player === worker;
      const stays = (seen['legal'] as { move: string }[]).some(({ move }) => move === 'call');
      const move = isRaised
        ? { move: isWorker ? 'fold' : 'allin' }
        : isWorker
          ? { move: 'raise', amount: '900000' }
          : { move: stays ? 'call' : 'check' };
      isRaised ||= isWorker;
      mustOk(await act(player, id, seen['token'], move));
      if (isWorker && move.move === 'fold') break;
    }
    for (const player of [worker, client]) mustOk(await leave(player, id));
    world.hub.clock.advance(DAY_SECONDS + 1);
    const [recorded, discounted] = await karmaLeft(worker);
    assert.equal(recorded, 3);
    assert.ok(Number(discounted) <= 1, `${String(discounted)} of 3 points are left`);
  });
});
