import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk, mustRefuse } from '../harness/must.ts';
import { bookOf, borrow, earn, giveBack, held, SUITE_MS_MAX } from './_lend.ts';
import { loansOf, refused, spendableOf, type Held } from './_lend.ts';

/**
 * A gang of keys that cost nothing: each claims work of an accomplice, borrows, pays the money away
 * and gives the work back, so that the escrow goes back too (choices credit.shares).
 */
const ISSUED = 10_000_000_000n;
const ADDRESS_SHARE = ISSUED / 500n;
const HOUR_SHARE = ISSUED / 100n;
const HOUR = 3_600;
const KEYS_MAX = 12;
const BAIT = { rewardAmount: '10000000' };

for (const [name, url] of DATABASES) {
  describe(`lending and a gang (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    beforeEach(async () => {
      const env = { HUB_TRUSTED_PROXIES: '127.0.0.0/8' };
      world = await openFixture({ databaseUrl: await url(), env });
      await world.fund(world.alice, '900000000');
    });
    afterEach(() => world.close());

    it('a gang of fresh keys cannot take more than a five-hundredth of the fund in an hour', async () => {
      assert.equal(await raid(world, '203.0.113.7'), ADDRESS_SHARE);
      assert.equal(await raid(world, '203.0.113.99'), 0n, 'the same network block');
      world.hub.clock.advance(HOUR + 1);
      assert.equal(await raid(world, '203.0.113.7'), 0n, 'what is overdue counts for a day');
      const lost = ISSUED - BigInt(String((await bookOf(world))['available']));
      assert.equal(lost, ADDRESS_SHARE);
    });

    it('leaves a newcomer elsewhere its third, and an earner its fees at the same address', async () => {
      const [earner, newcomer] = [await world.agent(), await world.agent()];
      await earn(world.alice, earner);
      await raid(world, '203.0.113.7');
      const first = await held(world.alice, newcomer);
      assert.equal(mustOk(await from('198.51.100.4', newcomer, first))['principal'], '330000');
      const second = await held(world.alice, earner);
      refused(
        await from('203.0.113.7', earner, second),
        'credit-unavailable',
        /network address has 20000000 of advances that nothing vouches for, of at most 20000000/,
        /"wantedAtomic": "30000" at most.*Work without an advance.*an hour later/,
      );
      const vouched = await from('203.0.113.7', earner, second, { wantedAtomic: '30000' });
      assert.equal(mustOk(vouched)['principal'], '30000');
    });

    it('a crowd with addresses enough takes a hundredth an hour, and earners still borrow', async () => {
      const earner = await world.agent();
      await earn(world.alice, earner, { rewardAmount: '20000000' });
      let taken = 0n;
      for (let n = 1; n <= 6; n += 1) taken += await raid(world, `203.0.${n}.7`);
      assert.equal(taken, HOUR_SHARE);
      const work = await held(world.alice, earner);
      assert.equal(mustOk(await from('192.0.2.1', earner, work))['principal'], '330000');
      world.hub.clock.advance(HOUR + 1);
      const newcomer = await world.agent();
      const next = await held(world.alice, newcomer);
      assert.equal(mustOk(await from('192.0.2.1', newcomer, next))['principal'], '330000');
    });

    it('one escrow secures a third of itself, however many claims borrow against it', async () => {
      const [one, two, three] = [await world.agent(), await world.agent(), await world.agent()];
      const work = await held(world.alice, one);
      mustOk(await borrow(one, work.taskId, { wantedAtomic: '300000' }));
      await payAway(world, one);
      mustOk(await giveBack(one, work));
      const again = await claimAgain(two, work.taskId);
      const loan = mustOk(await borrow(two, work.taskId, { wantedAtomic: '330000' }));
      assert.deepEqual(loan['lowered'], {
        wanted: '330000',
        why: 'An advance is at most 33% of the escrowed reward, which is 330000, and earlier claims left 300000 of it unpaid.',
      });
      await payAway(world, two);
      mustOk(await giveBack(two, again));
      await claimAgain(three, work.taskId);
      refused(
        await borrow(three, work.taskId),
        'loan-open',
        /Earlier claims of this task left 330000 unpaid/,
        /Deliver it without an advance/,
      );
    });

    it('what is given back first pays the advance, and fees make good what defaults took', async () => {
      const thief = await world.agent();
      const work = await held(world.alice, thief, BAIT);
      mustOk(await borrow(thief, work.taskId));
      const part = { to: world.alice.account, amount: '1300000', idempotencyKey: 'part' };
      mustOk(await thief.post(`/api/v1/wallet/${thief.account}/pay`, part));
      mustOk(await giveBack(thief, work));
      assert.equal((await loansOf(thief))[0]?.['outstanding'], '1366000');
      assert.equal(await spendableOf(thief), '0');
      const available = async () => Number((await bookOf(world))['available']);
      const before = await available();
      await world.hub.runJob('creditRefill');
      assert.equal(await available(), before, 'a loan that is due may still come back');
      world.hub.clock.advance(7 * 86_400);
      await world.hub.runJob('loanCollection');
      await earn(world.alice, await world.agent(), { rewardAmount: '50000000' });
      await world.hub.runJob('creditRefill');
      assert.equal(await available(), before + 750_000, 'half of the fees');
      await world.hub.runJob('creditRefill');
      await world.hub.runJob('creditRefill');
      assert.equal(await available(), before + 1_300_000, 'never above what was lost');
    });
  });
}

/** Fresh keys of one address take all they get; answers the principal that is gone. */
async function raid(world: Fixture, ip: string): Promise<bigint> {
  let taken = 0n;
  for (let n = 0; n < KEYS_MAX; n += 1) {
    const thief = await world.agent();
    const work = await held(world.alice, thief, BAIT);
    let answer = await from(ip, thief, work);
    const most = /"wantedAtomic": "(\d+)" at most/.exec(String(answer.body['hint']))?.[1];
    if (most !== undefined) answer = await from(ip, thief, work, { wantedAtomic: most });
    if (answer.status === 200) await payAway(world, thief);
    else mustRefuse(answer, 400, 'credit-unavailable');
    mustOk(await giveBack(thief, work));
    const [loan] = await loansOf(thief);
    if (loan === undefined) return taken;
    taken += BigInt(String(loan['principal']));
  }
  return taken;
}

async function from(ip: string, agent: Agent, work: Held, over: object = {}): Promise<Answer> {
  const body = { borrower: agent.account, taskId: work.taskId, ...over };
  const request = await agent.signed('POST', '/api/v1/services/credit', body);
  request.headers.set('x-forwarded-for', ip);
  return agent.send(request);
}

async function payAway(world: Fixture, thief: Agent): Promise<void> {
  const amount = String(await spendableOf(thief));
  const body = { to: world.alice.account, amount, idempotencyKey: 'away' };
  mustOk(await thief.post(`/api/v1/wallet/${thief.account}/pay`, body));
}

async function claimAgain(agent: Agent, taskId: string): Promise<Held> {
  const path = `/api/v1/tasks/${taskId}/claim`;
  const { claimToken } = mustOk(await agent.post(path, { agentId: agent.account }));
  return { taskId, claimToken: String(claimToken) };
}
