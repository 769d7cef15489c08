import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/index.ts';
import { agentWith, joinAccount, type Agent, type Answer } from '../harness/agents.ts';
import { DATABASES, sharedPostgres } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { startHub } from '../harness/hub.ts';
import { decide as moderate } from '../operator/_operator.ts';
import { SUITE_MS_MAX } from '../services/_lend.ts';
import { limitedKey } from '../wallet/_policies.ts';
import { BY_PLACE, BY_SPLIT, contest, decide, offerTo, TO_DEADLINE, won } from './_shares.ts';
import { act, money, read, RULE, type Body } from './_work.ts';

for (const [name, url] of DATABASES) {
  describe(`attacks on divided rewards (${name})`, function suite() {
    this.timeout(SUITE_MS_MAX);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => world.close());

    const asked = (over: Body) => ({
      requester: world.alice.account,
      title: 'Do it',
      rewardAmount: '1000000',
      ...over,
    });
    const places = (...list: number[]): Body => ({ shares: { places: list } });
    const UNPUBLISHED: readonly (readonly [string, Body, string, string])[] = [
      ['one basis point short', places(6_000, 3_999), 'bad-shares', 'body.shares.places'],
      ['one basis point over', places(6_000, 4_001), 'bad-shares', 'body.shares.places'],
      ['neither places nor split', { shares: {} }, 'bad-shares', 'body.shares'],
      [
        'both places and split',
        { shares: { places: [5_000, 5_000], split: true } },
        'bad-shares',
        'body.shares',
      ],
      ['a place of dust', places(9_991, 9), 'bad-shares', 'body.shares.places'],
      ['unpaid work', { ...BY_PLACE, rewardAmount: undefined }, 'bad-shares', 'body.rewardAmount'],
      ['exclusive work', { ...BY_PLACE, mode: 'exclusive' }, 'wrong-mode', 'body.mode'],
      ['a panel', { ...BY_PLACE, verification: 'validator' }, 'bad-shares', 'body.verification'],
      ['a clock', { ...BY_PLACE, autoAcceptSeconds: 60 }, 'bad-shares', 'body.autoAcceptSeconds'],
      [
        'a dispute window',
        { ...BY_PLACE, disputeWindowSeconds: 60 },
        'bad-shares',
        'body.disputeWindowSeconds',
      ],
      [
        'division without a rule',
        { shares: { split: true, undecided: 'divide' } },
        'acceptance-required',
        'body.acceptance',
      ],
    ];
    for (const [what, over, code, field] of UNPUBLISHED) {
      it(`publishes no shares with ${what}, and holds nothing`, async () => {
        const before = await money(world.alice);
        const body = mustRefuse(await world.alice.post('/api/v1/tasks', asked(over)), 400, code);
        assert.equal(body['field'], field);
        assert.deepEqual(await money(world.alice), before);
      });
    }

    it('names no winner twice, none too many, and none that is not there', async () => {
      const { id, solutions } = await contest(world, BY_PLACE, 4);
      const [one, two, three, four] = solutions;
      const refused = async (winners: readonly Body[], status: number, code: string) =>
        mustRefuse(await decide(world.alice, id, winners), status, code)['field'];
      assert.equal(
        await refused(won([one, two, one]), 400, 'bad-shares'),
        'body.winners[2].solutionId',
      );
      assert.equal(await refused(won([one, two, three, four]), 400, 'bad-shares'), 'body.winners');
      assert.equal(
        await refused(won([one, two, three], [6_000, 3_000, 1_001]), 400, 'bad-shares'),
        'body.winners[2].bps',
      );
      const unknown = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';
      assert.equal(
        await refused(won([one, unknown, two]), 404, 'not-found'),
        'body.winners[1].solutionId',
      );
      const single = { requester: world.alice.account, solutionId: one };
      const hinted = mustRefuse(await act(world.alice, id, 'accept', single), 400, 'wrong-mode');
      assert.match(String(hinted['hint']), /winners/);
      const both = await decide(world.alice, id, won([one, two, three]), { solutionId: one });
      mustRefuse(both, 400, 'not-together');
      assert.equal((await read(world, id))['state'], 'open');
    });

    it('divides freely to the basis point, and pays no dust', async () => {
      const { id, solutions } = await contest(world, BY_SPLIT, 2);
      const split = (...bps: number[]) => decide(world.alice, id, won(solutions, bps));
      mustRefuse(await split(5_000, 5_001), 400, 'bad-shares');
      mustRefuse(await split(5_000), 400, 'bad-shares');
      mustRefuse(await split(9_991, 9), 400, 'bad-shares');
      assert.equal(mustOk(await split(5_001, 4_999))['state'], 'paid');
    });

    it('pays one party one place, its payee and the requester among them', async () => {
      const { alice, hub } = world;
      const { id, solutions, workers } = await contest(world, BY_PLACE, 2);
      const [bob, carol] = workers;
      const shared = await world.agent();
      const rival = await offerTo(shared, id, { payee: bob?.account });
      const twice = mustRefuse(
        await decide(alice, id, won([...solutions, rival])),
        400,
        'self-dealing',
      );
      assert.match(String(twice['error']), /Winner 3, or its payee, is linked to winner 1/);
      // A link that was made after the results were offered counts as well.
      const { store } = hub.running.hub;
      const link = { account: alice.account };
      await store.write((tx) => tx.knex('keys').where({ key_id: carol?.keyId }).update(link));
      const own = mustRefuse(
        await decide(alice, id, won([solutions[0], solutions[1], rival])),
        400,
        'self-dealing',
      );
      assert.match(String(own['error']), /linked to the requester/);
      assert.equal(own['field'], 'body.winners[1].solutionId');
      mustRefuse(
        await act(alice, id, 'solution', { agentId: alice.account, result: 1 }),
        400,
        'self-dealing',
      );
    });

    it('divides nothing to linked workers by silence', async () => {
      const { alice, hub } = world;
      const { id, workers } = await contest(world, { ...BY_SPLIT, acceptance: RULE }, 3);
      const [bob, carol, dave] = workers as [Agent, Agent, Agent];
      const { store } = hub.running.hub;
      const link = { account: bob.account };
      await store.write((tx) => tx.knex('keys').where({ key_id: carol.keyId }).update(link));
      hub.clock.advance(TO_DEADLINE + 72 * 3_600);
      assert.equal((await read(world, id))['state'], 'paid');
      const paid = [bob, dave].map(async (one) => (await money(one))[0]);
      assert.deepEqual(await Promise.all(paid), ['485000', '485000']);
      mustRefuse(await decide(alice, id, won([id])), 404, 'not-found');
    });

    it('lets no other account decide, and none decide twice or after silence', async () => {
      const { alice } = world;
      const { id, solutions, workers } = await contest(world, BY_PLACE, 3);
      const [bob] = workers as [Agent];
      mustRefuse(await decide(bob, id, won(solutions)), 400, 'not-a-party');
      const forged = { requester: alice.account, winners: won(solutions) };
      mustRefuse(await act(bob, id, 'accept', forged), 401, 'wrong-owner');
      mustOk(await decide(alice, id, won(solutions)));
      mustRefuse(await decide(alice, id, won([...solutions].reverse())), 400, 'decided');
      const late = await contest(world, BY_PLACE, 3);
      world.hub.clock.advance(TO_DEADLINE + 72 * 3_600);
      mustRefuse(await decide(alice, late.id, won(late.solutions)), 400, 'decided');
      assert.equal((await read(world, late.id))['state'], 'expired');
    });

    it('is decided once by ten decisions at the same time', async () => {
      const { id, solutions, workers } = await contest(world, BY_PLACE, 3);
      const orders = Array.from({ length: 10 }, (_, turn) =>
        solutions.map((_, nth) => solutions[(nth + turn) % 3]),
      );
      const answers = await Promise.all(orders.map((order) => decide(world.alice, id, won(order))));
      await mustPayOnce(answers, workers);
    });

    it('pays winners whose account is frozen, and obeys the policy of a key', async () => {
      const { alice } = world;
      const key = await limitedKey(world, alice, {
        perCall: '500000',
        operations: ['tasks.publish', 'tasks.accept'],
      });
      mustRefuse(await key.post('/api/v1/tasks', asked(BY_PLACE)), 400, 'policy-limit');
      const small = mustOk(
        await key.post('/api/v1/tasks', asked({ ...BY_PLACE, rewardAmount: '500000' })),
      );
      const id = String(small['id']);
      const solutions: string[] = [];
      const workers: Agent[] = [];
      for (let n = 0; n < 3; n += 1) {
        workers.push(await world.agent());
        solutions.push(await offerTo(workers[n] ?? assert.fail(), id));
      }
      await moderate([world], 'ban', workers[1]?.keyId ?? '', 'Fraud.');
      assert.equal(mustOk(await decide(key, id, won(solutions)))['state'], 'paid');
      assert.equal((await money(workers[1] ?? assert.fail()))[0], '145500');
    });

    it('pays twenty winners, takes 400 waiting results and refuses the rest', async () => {
      const many = places(...Array.from({ length: 20 }, () => 500));
      const { id, workers, solutions } = await contest(world, many, 20);
      const { store } = world.hub.running.hub;
      const [row] = (await store.read((db) =>
        db.knex('attempts').where({ id: solutions[0] }),
      )) as Body[];
      const copies = Array.from({ length: 380 }, (_, nth) => ({
        ...row,
        id: `ffffffff-0000-7000-8000-${String(nth).padStart(12, '0')}`,
        worker: `key:${'2'.repeat(40)}${String(111 + nth).replaceAll('0', 'z')}`,
      }));
      await store.write(async (tx) => {
        for (let at = 0; at < copies.length; at += 20) {
          await tx.knex('attempts').insert(copies.slice(at, at + 20));
        }
      });
      const dave = await world.agent();
      const offer = { agentId: dave.account, result: 'done' };
      const full = mustRefuse(await act(dave, id, 'solution', offer), 400, 'solutions-pending');
      assert.match(String(full['hint']), /Try again/);
      const started = performance.now();
      const body = mustOk(await decide(world.alice, id, won(solutions)));
      const took = performance.now() - started;
      assert.ok(took < 10_000, `took ${took} ms`);
      assert.equal((body['attempts'] as Body[]).length, 400);
      assert.equal((body['awards'] as Body[]).length, 20);
      assert.equal((await money(workers[19] ?? assert.fail()))[0], '48500');
    });

    it('charges the fee on the part of a winner whose account another key has joined', async () => {
      const { id, solutions, workers } = await contest(world, BY_PLACE, 3);
      const helper = await world.agent();
      mustOk(await joinAccount(workers[0] ?? assert.fail(), helper));
      const body = mustOk(await decide(world.alice, id, won(solutions)));
      assert.equal(at((body['awards'] as Body[])[0] ?? {}, 'split', 'hub'), '18000');
    });
  });
}

/** One of the decisions counts, the others are refused, and the winners have the reward less its fee. */
async function mustPayOnce(answers: readonly Answer[], workers: readonly Agent[]): Promise<void> {
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers) if (answer.status !== 200) mustRefuse(answer, 400, 'decided');
  const got = await Promise.all(workers.map(async (one) => Number((await money(one))[0])));
  assert.equal(
    got.reduce((sum, one) => sum + one, 0),
    970_000,
  );
}

describe('decisions about one divided reward on two hubs of one database', function suite() {
  this.timeout(SUITE_MS_MAX);

  it('are one', async () => {
    const databaseUrl = await (await sharedPostgres()).freshDatabase();
    const world = await openFixture({ databaseUrl });
    const other = await startHub({ databaseUrl, clock: world.hub.clock });
    try {
      const key = await generateKey();
      const [here, there] = [agentWith(world.hub, key), agentWith(other, key)];
      await world.fund(here, '100000000');
      for (let round = 0; round < 5; round += 1) {
        const { id, solutions, workers } = await contest(world, BY_PLACE, 3, here);
        const answers = await Promise.all([
          decide(here, id, won(solutions)),
          decide(there, id, won([...solutions].reverse())),
        ]);
        await mustPayOnce(answers, workers);
      }
    } finally {
      await other.close();
      await world.close();
    }
  });
});
