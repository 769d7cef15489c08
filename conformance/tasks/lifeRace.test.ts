import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { eventsBehind } from '../../db/wallet/accountEvents.ts';
import type { Account } from '../../domain/account.ts';
import { agentWith, type Agent, type Answer } from '../harness/agents.ts';
import { DATABASES, sharedPostgres } from '../harness/databases.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, claim, events, money, publish, read, RULE, type Body } from './_work.ts';

/** Steps of many tasks share a batch, and each is what it would be alone. */
const TASKS = 24;
const PAID = { acceptance: RULE, disputeWindowSeconds: 0 };
for (const [name, url] of DATABASES) {
  describe(`lives of tasks at once (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '100000000');
    });
    after(() => world.close());

    it('go on beside a refusal, a twin and a result that fails', async () => {
      const { alice, bob } = world;
      const body = { requester: alice.account, title: 'Do it', rewardAmount: '1000000', ...PAID };
      const once = { ...body, idempotencyKey: 'one publication' };
      const asked = [...Array.from({ length: TASKS - 1 }, () => body), once, once];
      const answers = await together([
        ...asked.map((each) => () => alice.post('/api/v1/tasks', each)),
        () => bob.post('/api/v1/tasks', { ...body, requester: bob.account }),
      ]);
      mustRefuse(answers.pop() ?? assert.fail(), 400, 'insufficient-funds');
      const published = answers.map((answer) => String(mustOk(answer)['id']));
      const ids = [...new Set(published)];
      assert.equal(ids.length, TASKS, 'twins are one publication');
      const workers = await Promise.all(ids.map(() => world.agent()));
      const held = await Promise.all(
        workers.map(async (worker, nth) => [worker, await claim(worker, ids[nth] ?? '')] as const),
      );
      const results = await together(
        held.flatMap(([worker, claimToken], nth) => {
          const delivery = { claimToken, result: nth === 0 ? 'not yet' : 'done' };
          const deliver =
            (more: Body = {}) =>
            () =>
              act(worker, ids[nth] ?? '', 'submit', { ...delivery, ...more });
          const twin = { idempotencyKey: 'one delivery' };
          return nth === 1 ? [deliver(twin), deliver(twin)] : [deliver()];
        }),
      );
      const outcomes = results.map((answer) => mustOk(answer)['outcome']);
      assert.deepEqual(outcomes, ['refused', ...Array.from({ length: TASKS }, () => 'accepted')]);
      assert.equal(results.filter(({ body: repeat }) => repeat['repeated'] === true).length, 1);
      await Promise.all(ids.map((id, nth) => hasLived(world, id, nth > 0)));
      const [paid] = await Promise.all(workers.slice(1, 2).map(money));
      assert.deepEqual(paid, ['970000', '0', '970000']);
      const reported = await reportedOf(world, alice);
      assert.deepEqual(
        reported,
        reported.map((_, place) => place + 1),
        'events are numbered without gaps',
      );
    });

    it('give a worker no more than it may hold', async () => {
      const tasks = await Promise.all(Array.from({ length: 12 }, () => publish(world.alice, PAID)));
      const worker = await world.agent();
      const ids = tasks.map(({ id }) => id);
      await holdsThree(ids.map((id) => () => claimed(worker, id)));
    });

    it('weigh the karma of one account one after another', async () => {
      const tasks = await Promise.all(Array.from({ length: 3 }, () => publish(world.alice, PAID)));
      const worker = await world.agent();
      const tokens = await Promise.all(tasks.map(({ id }) => claim(worker, id)));
      const paid = await together(
        tasks.map(({ id }, nth) => () => {
          return act(worker, id, 'submit', { claimToken: tokens[nth], result: 'done' });
        }),
      );
      for (const answer of paid) assert.equal(mustOk(answer)['state'], 'paid');
      // The first from one requester counts in full, the next ones less than one.
      assert.equal(at(mustOk(await worker.get('/api/v1/me')), 'karma', 'total'), 1);
    });
  });
}

describe('claims by one worker on two hubs of one database', function suite() {
  this.timeout(60_000);

  it('are no more than it may hold', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const world = await openFixture({ databaseUrl });
    const other = await startHub({ databaseUrl, clock: world.hub.clock });
    try {
      await world.fund(world.alice, '100000000');
      const published = Array.from({ length: 12 }, () => publish(world.alice, PAID));
      const tasks = await Promise.all(published);
      const key = await generateKey();
      const sides = [agentWith(world.hub, key), agentWith(other, key)];
      await holdsThree(
        tasks.map(
          ({ id }, nth) =>
            () =>
              claimed(sides[nth % 2] ?? assert.fail(), id),
        ),
      );
    } finally {
      await other.close();
      await world.close();
    }
  });
});

function together(calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  return Promise.all(calls.map((call) => call()));
}

/** New accounts hold three tasks. */
async function holdsThree(claims: readonly (() => Promise<Answer>)[]): Promise<void> {
  const answers = await together(claims);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(answers.length - refused.length, 3);
  for (const answer of refused) mustRefuse(answer, 400, 'claim-limit');
}

async function hasLived(world: Fixture, id: string, isPaid: boolean): Promise<void> {
  const begun = ['task.published', 'task.claimed'];
  const ended = isPaid ? ['task.accepted', 'task.paid'] : ['attempt.refused'];
  assert.deepEqual(await events(world, id), [...begun, ...ended]);
  assert.equal((await read(world, id))['state'], isPaid ? 'paid' : 'open');
}

/** Returns the numbers of the events of an account. */
async function reportedOf({ hub }: Fixture, { account }: Agent): Promise<readonly number[]> {
  const read = (db: Parameters<typeof eventsBehind>[0]) =>
    eventsBehind(db, account as Account, 0, 1_000);
  const { events: reported } = await hub.running.hub.store.read(read);
  return reported.map(({ seq }) => seq);
}

function claimed(worker: Agent, id: string): Promise<Answer> {
  return act(worker, id, 'claim', { agentId: worker.account });
}
