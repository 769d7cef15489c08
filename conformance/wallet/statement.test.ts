import assert from 'node:assert/strict';
import type { Agent } from '../harness/agents.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { onlyTheOwner, walletPath } from './_signed.ts';
import { cancel, publishPaid } from './_work.ts';

type Entry = Readonly<Record<string, unknown>>;

describe('wallet.statement', () => {
  let world: Fixture;
  let keys = 0;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '1000000');
    for (let count = 0; count < 4; count += 1) await pay(world.alice, world.bob, '1000');
    await pay(world.bob, world.alice, '500');
    await cancel(world.alice, await publishPaid(world.alice));
  });
  after(() => world.close());

  it('follows from entry to entry down to nothing, holds included', async () => {
    const entries = await all(world.alice, 200);
    assert.deepEqual(
      entries.map((entry) => [entry['direction'], entry['reason'], entry['amount']]).reverse(),
      [
        ['in', 'faucet', '1000000'],
        ['out', 'pay', '1000'],
        ['out', 'pay', '1000'],
        ['out', 'pay', '1000'],
        ['out', 'pay', '1000'],
        ['in', 'pay', '500'],
        ['hold', 'task.escrow', '40000'],
        ['release', 'task.refund', '40000'],
      ],
    );
    let [balance, held] = [0n, 0n];
    for (const entry of [...entries].reverse()) {
      const amount = BigInt(String(entry['amount']));
      if (entry['direction'] === 'in') balance += amount;
      if (entry['direction'] === 'out') balance -= amount;
      if (entry['direction'] === 'hold') held += amount;
      if (entry['direction'] === 'release') held -= amount;
      assert.deepEqual(
        [entry['balanceAfter'], entry['heldAfter'], entry['spendableAfter']],
        [`${balance}`, `${held}`, `${balance - held}`],
      );
    }
    const wallet = mustOk(await world.alice.get(walletPath(world.alice)));
    assert.deepEqual([wallet['balance'], at(wallet, 'held', 'total')], [`${balance}`, `${held}`]);
  });

  for (const limit of [1, 2, 3, 7, 8, 200]) {
    it(`has no gap and no repeat in pages of ${limit}`, async () => {
      const entries = await all(world.alice, limit);
      assert.deepEqual(
        entries.map((entry) => entry['seq']),
        [8, 7, 6, 5, 4, 3, 2, 1],
      );
    });
  }

  it('keeps its pages while new entries are written', async () => {
    const agent = await world.agent();
    for (let count = 0; count < 4; count += 1) await world.fund(agent, '10');
    const first = mustOk(await agent.get(`${walletPath(agent)}/statement?limit=2`));
    await world.fund(agent, '10');
    const path = `${walletPath(agent)}/statement?limit=2&after=${first['next']}`;
    const second = mustOk(await agent.get(path));
    assert.deepEqual(
      [seqs(first), seqs(second)],
      [
        [4, 3],
        [2, 1],
      ],
    );
    assert.equal(second['next'], undefined);
  });

  it('is empty for an account that never had money, and on another network', async () => {
    const agent = await world.agent();
    for (const [who, query] of [
      [agent, ''],
      [world.alice, '?network=play'],
    ] as const) {
      const page = mustOk(await who.get(`${walletPath(who)}/statement${query}`));
      assert.deepEqual([page['count'], page['entries'], page['next']], [0, [], undefined]);
    }
  });

  it('names the task that a hold is for, and no counterparty', async () => {
    const held = (await all(world.alice, 200)).find((entry) => entry['direction'] === 'hold');
    assert.equal(at(held, 'ref', 'kind'), 'task');
    assert.equal(held?.['counterparty'], undefined);
  });

  it('lowers a limit above 200 and says so', async () => {
    const page = mustOk(await world.alice.get(`${walletPath(world.alice)}/statement?limit=5000`));
    assert.equal(page['limit'], 200);
  });

  it('refuses an unknown network with the list that works', async () => {
    const answer = await world.alice.get(`${walletPath(world.alice)}/statement?network=moon`);
    assert.deepEqual(mustRefuse(answer, 400, 'network-unknown')['allowed'], [
      'sandbox',
      'base',
      'play',
    ]);
  });

  for (const query of ['limit=0', 'limit=x', 'after=0', 'after=-1', 'after=abc', 'page=2']) {
    it(`refuses ?${query}`, async () => {
      const answer = await world.alice.get(`${walletPath(world.alice)}/statement?${query}`);
      mustRefuse(answer, 400, 'bad-request');
    });
  }

  onlyTheOwner(() => world, 'GET', '/statement');

  /** The whole statement, page by page. */
  async function all(agent: Agent, limit: number): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    let before = '';
    for (let pages = 0; pages < 20; pages += 1) {
      const path = `${walletPath(agent)}/statement?limit=${limit}${before}`;
      const page = mustOk(await agent.get(path));
      const list = page['entries'] as readonly Entry[];
      assert.equal(page['count'], list.length);
      entries.push(...list);
      if (page['next'] === undefined) return entries;
      before = `&after=${page['next']}`;
    }
    throw new Error('the statement does not end');
  }

  async function pay(from: Agent, to: Agent, amount: string): Promise<void> {
    keys += 1;
    const body = { to: to.account, amount, idempotencyKey: `statement-${keys}` };
    mustOk(await from.post(`${walletPath(from)}/pay`, body));
  }
});

function seqs(page: Readonly<Record<string, unknown>>): unknown[] {
  return (page['entries'] as readonly Entry[]).map((entry) => entry['seq']);
}
