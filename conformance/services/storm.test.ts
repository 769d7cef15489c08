import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import type { Agent, Answer } from '../harness/agents.ts';
import { mustOk } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { assertBooksBalance } from '../ledger/auditor.ts';
import { act, publish, RULE } from '../tasks/_work.ts';
import { bookOf, borrow, SUITE_MS_MAX } from './_lend.ts';

/**
 * Borrowers do everything at once: borrow twice, spend, deliver, give back, let leases lapse, while
 * every job runs. No call fails on the hub's side, and after each round the loans, the lending
 * account and the standings are what their rows say.
 */
const ROUNDS = 6;
const JOBS = ['leaseExpiry', 'payoutRelease', 'deadlineExpiry', 'loanCollection'];

describe('loans in a storm', function suite() {
  this.timeout(SUITE_MS_MAX);
  for (const [name, url] of DATABASES) {
    it(`are owed and paid to the unit (${name})`, async () => {
      const world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
      for (let round = 0; round < ROUNDS; round += 1) {
        const workers = await Promise.all([1, 2, 3, 4].map(() => world.agent()));
        await stir(world, workers, round);
      }
      const { repaid, defaulted, defaults } = await bookOf(world);
      const seen = [repaid, defaulted, defaults].map((figure) => Number(figure) > 0);
      assert.deepEqual(seen, [true, true, true], 'the storm saw loans repaid and lost');
      await world.close();
    });
  }
});

async function stir(world: Fixture, workers: readonly Agent[], round: number): Promise<void> {
  const { alice, hub } = world;
  const lives = workers.flatMap((worker, place) =>
    [0, 1].map((turn) => live(alice, worker, place + turn + round)),
  );
  const jobs = [...JOBS, ...JOBS].map((job) => hub.runJob(job));
  const answers = (await Promise.all(lives)).flat();
  await Promise.all(jobs);
  const broken = answers.filter(({ status }) => status >= 500).map(({ text }) => text);
  assert.deepEqual(broken, []);
  await assertBooksBalance(hub.running.hub.store);
  const book = await bookOf(world);
  const parts = ['repaid', 'open', 'due', 'defaulted'].map((part) => BigInt(String(book[part])));
  const sum = parts.reduce((total, part) => total + part, 0n);
  assert.equal(sum, BigInt(String(book['advanced'])));
  assert.equal(BigInt(String(book['available'])), 10_000_000_000n - sum + (parts[0] ?? 0n));
  hub.clock.advance([0, 1_800, 3_600, 86_400, 604_800][round % 5] ?? 0);
}

async function live(alice: Agent, worker: Agent, turn: number): Promise<readonly Answer[]> {
  const windows = { disputeWindowSeconds: turn % 2 === 0 ? 0 : 60 };
  const { id } = await publish(alice, { acceptance: RULE, ...windows });
  const claimed = await act(worker, id, 'claim', { agentId: worker.account });
  const { claimToken } = claimed.body;
  if (typeof claimToken !== 'string') return [claimed];
  const [lent, again] = await Promise.all([borrow(worker, id), borrow(worker, id)]);
  const away = { to: alice.account, amount: '300000', idempotencyKey: id };
  const ends = [
    () => act(worker, id, 'submit', { claimToken, result: 'done' }),
    () => act(worker, id, 'fail', { claimToken }),
    () => act(worker, id, 'submit', { claimToken, result: 'no' }),
    () => worker.get('/api/v1/me'),
  ][turn % 4];
  assert.ok(ends !== undefined);
  const spent = worker.post(`/api/v1/wallet/${worker.account}/pay`, away);
  const last = await Promise.all([spent, ends(), worker.get('/api/v1/me')]);
  mustOk(last[2]);
  return [claimed, lent, again, ...last];
}
