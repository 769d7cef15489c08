import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { payoutsIn } from '../../db/log/payouts.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { borrow, giveBack, held, loansOf, SUITE_MS_MAX } from '../services/_lend.ts';
import {
  BY_PLACE,
  BY_SPLIT,
  contest,
  decide,
  offerTo,
  refuseResult,
  SILENCE,
  TO_DEADLINE,
  won,
} from './_shares.ts';
import { act, events, money, publish, read, RULE, type Body } from './_work.ts';

for (const [name, url] of DATABASES) {
  describe(`rewards that several winners divide (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => world.close());

    const free = async (): Promise<bigint> => BigInt(String((await money(world.alice))[0]));

    it('are stated in the record before anyone works, with what silence does', async () => {
      const task = await publish(world.alice, { ...BY_PLACE, rewardAmount: '1000001' });
      assert.deepEqual(
        [task['mode'], task['verification'], task['windows'], task['paymentState']],
        ['open', 'requester', { disputeWindowSeconds: 0 }, 'escrowed'],
      );
      assert.deepEqual(task['shares'], {
        places: [
          { place: 1, bps: 6_000, amount: '600001', worker: '582001' },
          { place: 2, bps: 3_000, amount: '300000', worker: '291000' },
          { place: 3, bps: 1_000, amount: '100000', worker: '97000' },
        ],
        undecided: 'return',
      });
      const { undecided, says } = task['atDeadline'] as Body;
      assert.equal(undecided, 'returned');
      assert.ok(String(says).includes(String(task['deadline'])), String(says));
      const ruled = await publish(world.alice, { ...BY_SPLIT, acceptance: RULE });
      assert.deepEqual(ruled['shares'], { split: true, undecided: 'divide' });
      assert.equal(at(ruled, 'atDeadline', 'undecided'), 'divided');
      const plain = await publish(world.alice);
      assert.deepEqual([plain['shares'], plain['atDeadline']], [undefined, undefined]);
    });

    it('repay the due loan of a winner in the same transfer, unseen by the requester', async () => {
      const { id, workers, solutions } = await contest(world, BY_PLACE, 3);
      const [first = assert.fail(), second = assert.fail()] = workers;
      const lost = await held(world.alice, first, { rewardAmount: '2000000' });
      mustOk(await borrow(first, lost.taskId, { wantedAtomic: '100000' }));
      mustOk(await giveBack(first, lost));
      assert.equal((await loansOf(first))[0]?.['outstanding'], '2000');
      const { awards } = mustOk(await decide(world.alice, id, won(solutions)));
      const parts = (awards as Body[]).map(({ split }) => [at(split, 'worker'), at(split, 'loan')]);
      assert.deepEqual(parts, [
        ['582000', '0'],
        ['291000', '0'],
        ['97000', '0'],
      ]);
      assert.deepEqual([await loansOf(first), (await money(first))[0]], [[], '580000']);
      assert.equal((await money(second))[0], '291000');
      const path = `/api/v1/wallet/${first.account}/statement?limit=2`;
      const [repaid, reward] = mustOk(await first.get(path))['entries'] as Body[];
      assert.deepEqual([repaid?.['reason'], repaid?.['amount']], ['loan.origination', '2000']);
      assert.equal(repaid?.['transferId'], reward?.['transferId']);
    });

    it('pay each place its part, in one transfer, with fees and standing as one winner has', async () => {
      const { id, workers, solutions } = await contest(world, BY_PLACE, 4);
      const before = await free();
      const winners = won([solutions[2], solutions[0], solutions[1]]);
      const body = mustOk(await decide(world.alice, id, winners, { idempotencyKey: id }));
      assert.deepEqual([body['state'], body['paymentState']], ['paid', 'none']);
      const awards = body['awards'] as Body[];
      assert.deepEqual(
        awards.map((one) => [one['place'], one['bps'], one['worker'], at(one, 'split', 'worker')]),
        [
          [1, 6_000, workers[2]?.account, '582000'],
          [2, 3_000, workers[0]?.account, '291000'],
          [3, 1_000, workers[1]?.account, '97000'],
        ],
      );
      assert.equal(before - (await free()), 1_000_000n);
      for (const [nth, wanted] of ['291000', '97000', '582000', '0'].entries()) {
        const worker = workers[nth] ?? assert.fail();
        assert.deepEqual(await money(worker), [wanted, '0', wanted]);
        const me = mustOk(await worker.get('/api/v1/me'));
        assert.equal(at(me, 'karma', 'total'), wanted === '0' ? 0 : 1);
      }
      const paid = ['task.paid', 'task.paid', 'task.paid'];
      const accepted = ['task.accepted', 'task.accepted', 'task.accepted'];
      assert.deepEqual((await events(world, id)).slice(-6), [...accepted, ...paid]);
      const again = mustOk(await decide(world.alice, id, winners, { idempotencyKey: id }));
      assert.deepEqual(again, { ...body, repeated: true });
      const economics = mustOk(await world.anyone.get(`/api/v1/tasks/${id}/economics`));
      const settled = economics['settled'] as Body[];
      assert.equal(
        settled.reduce((sum, { amount }) => sum + Number(amount), 0),
        1_000_000,
      );
      const page = mustOk(await world.anyone.get(`/api/v1/tasks/${id}/solutions`));
      assert.deepEqual(
        (page['solutions'] as Body[]).map((one) => [one['state'], at(one, 'award', 'place')]),
        [
          ['accepted', 2],
          ['accepted', 3],
          ['accepted', 1],
          ['superseded', undefined],
        ],
      );
    });

    it('notify each winner, and leave a leaf of the log for each payment', async () => {
      const { id, workers, solutions } = await contest(world, BY_PLACE, 3);
      const body = mustOk(await decide(world.alice, id, won(solutions)));
      for (const worker of workers) {
        const page = mustOk(await worker.get('/api/v1/me/events'));
        const kinds = (page['events'] as Body[]).filter((one) => one['taskId'] === id);
        assert.deepEqual(
          kinds.map(({ kind }) => kind).filter((kind) => String(kind).startsWith('task.')),
          ['task.accepted', 'task.paid'],
        );
      }
      const { transferId } = body;
      const leaves = await world.hub.running.hub.store.read((db) =>
        payoutsIn(db, { after: 0, to: Number.MAX_SAFE_INTEGER }),
      );
      assert.deepEqual(
        leaves
          .filter((leaf) => leaf.transferId === transferId)
          .map(({ account, reason, amount }) => [account, reason, amount])
          .sort(([, , a], [, , b]) => Number(b) - Number(a)),
        ['582000', '291000', '97000'].map((amount, nth) => [
          workers[nth]?.account,
          'task.reward',
          amount,
        ]),
      );
    });

    it('are divided as the requester says, and the rest goes back after the deadline', async () => {
      const { id, workers, solutions } = await contest(world, BY_SPLIT, 3);
      const early = await decide(world.alice, id, won(solutions.slice(0, 2), [5_000, 4_999]));
      const body = mustRefuse(early, 400, 'bad-shares');
      assert.match(String(body['error']), /9999 of 10000/);
      world.hub.clock.advance(TO_DEADLINE);
      const before = await free();
      const done = mustOk(
        await decide(world.alice, id, won(solutions.slice(0, 2), [5_000, 4_999])),
      );
      assert.equal(at(done, 'refunded', 'amount'), '100');
      assert.equal(before - (await free()), 999_900n);
      assert.deepEqual(await money(workers[1] ?? assert.fail()), ['484903', '0', '484903']);
    });

    it('fill every place before the deadline, and after it as many as there are results', async () => {
      const { id, workers, solutions } = await contest(world, BY_PLACE, 2);
      mustRefuse(await decide(world.alice, id, won(solutions)), 400, 'bad-shares');
      world.hub.clock.advance(TO_DEADLINE);
      const fewer = mustRefuse(
        await decide(world.alice, id, won([solutions[1]])),
        400,
        'bad-shares',
      );
      assert.match(String(fewer['error']), /2 results wait, and the winners fill 1 places/);
      const late = await act(await world.agent(), id, 'solution', { agentId: 'x', result: 'done' });
      assert.equal(late.status, 400, 'an agentId that is no account');
      const carol = await world.agent();
      const offer = { agentId: carol.account, result: 'done' };
      mustRefuse(await act(carol, id, 'solution', offer), 400, 'deadline');
      mustOk(await refuseResult(world.alice, id, solutions[0]));
      const done = mustOk(await decide(world.alice, id, won([solutions[1]])));
      assert.equal(at(done, 'refunded', 'amount'), '400000');
      assert.deepEqual((await money(workers[1] ?? assert.fail()))[0], '582000');
      assert.deepEqual((await money(workers[0] ?? assert.fail()))[0], '0');
    });

    it('go back when the requester stays silent and no rule judged the results', async () => {
      const before = await free();
      const { id } = await contest(world, BY_PLACE, 2);
      world.hub.clock.advance(TO_DEADLINE + SILENCE);
      const task = await read(world, id);
      assert.deepEqual([task['state'], await free()], ['expired', before]);
      const ignored = (await events(world, id)).filter((event) => event === 'delivery.ignored');
      assert.equal(ignored.length, 2);
    });

    for (const [how, over, wanted] of [
      ['take the places', BY_PLACE, ['582000', '291000']],
      ['are paid equal parts', BY_SPLIT, ['485000', '485000']],
    ] as const) {
      it(`${how} in order of arrival when the requester stays silent and a rule judged them`, async () => {
        const before = await free();
        const { id, workers } = await contest(world, { ...over, acceptance: RULE }, 2);
        const third = await world.agent();
        const missed = { agentId: third.account, result: 'nothing of the kind' };
        mustOk(await act(third, id, 'solution', missed));
        world.hub.clock.advance(TO_DEADLINE + SILENCE - 10);
        assert.equal((await read(world, id))['state'], 'open');
        world.hub.clock.advance(10);
        assert.equal((await read(world, id))['state'], 'paid');
        const got = await Promise.all(workers.map(async (one) => (await money(one))[0]));
        assert.deepEqual(got, wanted);
        assert.equal((await money(third))[0], '0');
        const paid = wanted[0] === '582000' ? 900_000n : 1_000_000n;
        assert.equal(before - (await free()), paid);
      });
    }

    it('are not cancelled while a result waits, and may be before and after', async () => {
      const { id, solutions } = await contest(world, BY_PLACE, 1);
      const cancel = () => act(world.alice, id, 'cancel', { requester: world.alice.account });
      mustRefuse(await cancel(), 400, 'solutions-pending');
      mustOk(await refuseResult(world.alice, id, solutions[0]));
      assert.equal(mustOk(await cancel())['state'], 'withdrawn');
    });

    it('offer the requester a call that works as it stands, once it may decide', async () => {
      const { id } = await contest(world, BY_PLACE, 2);
      const accepts = async () => {
        const { next } = mustOk(await world.alice.get(`/api/v1/tasks/${id}`));
        return (next as Body[]).filter(({ action }) => action === 'tasks.accept');
      };
      assert.deepEqual(await accepts(), [], 'a place is empty');
      const carol = await world.agent();
      await offerTo(carol, id);
      const [call] = await accepts();
      const { path, body } = call?.['call'] as { path: string; body: Body };
      assert.equal(mustOk(await world.alice.post(path, body))['state'], 'paid');
    });
  });
}
