import assert from 'node:assert/strict';
import { DATABASES } from '../harness/databases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, claim, money, names, read, submit, type Body } from '../tasks/_work.ts';
import { AT_ONCE, closeBalanced, publishChain, readChain, stand, STEP, taskOf } from './_chain.ts';

for (const [name, url] of DATABASES) {
  describe(`chains.create (${name})`, function suite() {
    this.timeout(60_000);
    let world: Fixture;
    before(async () => {
      world = await openFixture({ databaseUrl: await url() });
      await world.fund(world.alice, '900000000');
    });
    after(() => closeBalanced(world));

    const post = (body: Body) => world.alice.post('/api/v1/chains', body);
    const asked = (steps: readonly Body[], over: Body = {}): Body => ({
      requester: world.alice.account,
      title: 'In order',
      steps,
      ...over,
    });

    it('holds the sum of all rewards at once and opens the first step', async () => {
      const [, before] = await money(world.alice);
      const chain = await publishChain(world.alice, [STEP, { ...STEP, rewardAmount: '500001' }]);
      const [, after] = await money(world.alice);
      assert.equal(Number(after) - Number(before), 1_500_001);
      assert.deepEqual(
        ['state', 'total', 'spent', 'stillHeld', 'refunded', 'distinctWorkers', 'repeated'].map(
          (field) => chain[field],
        ),
        ['running', '1500001', '0', '1500001', '0', false, false],
      );
      assert.deepEqual(chain['fees'], { hubBps: 300, judgesBps: 0 });
      const [first, second] = chain.steps;
      assert.deepEqual([first?.['state'], second?.['state']], ['open', 'waiting']);
      assert.deepEqual([second?.['taskId'], second?.['deadline']], [undefined, undefined]);
      assert.deepEqual(names(chain['next']).slice(-1), ['chains.abandon']);
      const wallet = mustOk(await world.alice.get(`/api/v1/wallet/${world.alice.account}`));
      const holds = at(wallet, 'held', 'by') as Body[];
      assert.deepEqual(
        holds.filter((hold) => at(hold, 'ref', 'id') === chain.id).map((hold) => hold['kind']),
        ['chain'],
      );
    });

    it('makes of each step an exclusive task, with the result before it as its input', async () => {
      const { alice, bob } = world;
      const chain = await publishChain(alice, [STEP, STEP]);
      const first = await taskOf(world, chain, 1);
      const task = await read(world, first);
      assert.deepEqual(
        [task['mode'], task['paymentState'], task['input'], task['chain']],
        ['exclusive', 'escrowed', undefined, { id: chain.id, step: 1 }],
      );
      const opened = Date.parse(String(task['createdAt']));
      assert.equal(Date.parse(String(task['deadline'])) - opened, 7 * 86_400_000);
      mustOk(await submit(bob, first, { text: 'done', n: [1, null] }));
      assert.equal(await stand(world, chain), 'running 1000000/1000000/0 accepted open');
      const second = await read(world, await taskOf(world, chain, 2));
      assert.deepEqual(second['input'], { previous: { text: 'done', n: [1, null] } });
      const offered = mustOk(await bob.post('/api/v1/tasks/claim', { minReward: '1000000' }));
      assert.equal(at(offered, 'work', 'chain', 'id') === undefined, false, 'a step is queued');
    });

    it('takes a result far over the size of an input as the next input', async () => {
      const chain = await publishChain(world.alice, [STEP, STEP]);
      const text = `done ${'x'.repeat(200_000)}`;
      mustOk(await submit(world.bob, await taskOf(world, chain, 1), text));
      const next = await read(world, await taskOf(world, chain, 2));
      assert.deepEqual(next['input'], { previous: text });
    });

    it('pays each step as it is accepted and is completed by the last', async () => {
      const { alice } = world;
      const bob = await world.agent();
      const chain = await publishChain(alice, [AT_ONCE, { ...AT_ONCE, rewardAmount: '1003' }]);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      assert.deepEqual(await money(bob), ['970000', '0', '970000']);
      assert.equal(await stand(world, chain), 'running 1000000/1003/0 paid open');
      mustOk(await submit(bob, await taskOf(world, chain, 2), 'done'));
      assert.deepEqual(await money(bob), ['970973', '0', '970973'], 'floor of 30.09 is 30');
      assert.equal(await stand(world, chain), 'completed 1001003/0/0 paid paid');
      const read = await readChain(world, chain);
      assert.deepEqual([read['endReason'], typeof read['endedAt']], [undefined, 'string']);
    });

    it('is completed when its last step is over, whatever an earlier one waits for', async () => {
      const { bob, hub } = world;
      const chain = await publishChain(world.alice, [STEP, AT_ONCE]);
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      mustOk(await submit(bob, await taskOf(world, chain, 2), 'done'));
      assert.equal(await stand(world, chain), 'completed 2000000/0/0 accepted paid');
      hub.clock.advance(86_400);
      assert.equal(await stand(world, chain), 'completed 2000000/0/0 paid paid');
    });

    it('follows a decision of the requester and the silence of one alike', async () => {
      const { alice, bob, hub } = world;
      const own = { title: 'Say', rewardAmount: '2000', verification: 'requester' };
      const chain = await publishChain(alice, [own, { ...own, autoAcceptSeconds: 60 }, own]);
      const first = await taskOf(world, chain, 1);
      mustOk(await submit(bob, first, 'one'));
      const requester = alice.account;
      mustOk(await act(alice, first, 'reject', { requester, reason: 'no' }));
      assert.equal(await stand(world, chain), 'running 0/6000/0 open waiting waiting');
      mustOk(await submit(bob, first, 'two'));
      mustOk(await act(alice, first, 'accept', { requester }));
      const second = await read(world, await taskOf(world, chain, 2));
      assert.deepEqual(second['input'], { previous: 'two' });
      mustOk(await submit(bob, String(second['id']), 'three'));
      hub.clock.advance(60);
      assert.equal(await stand(world, chain), 'running 4000/2000/0 paid accepted open');
    });

    it('shows where the money of a step is, which its chain holds', async () => {
      const chain = await publishChain(world.alice, [STEP]);
      const id = await taskOf(world, chain, 1);
      const of = async (): Promise<unknown[]> => {
        const body = mustOk(await world.anyone.get(`/api/v1/tasks/${id}/economics`));
        return [body['posted'], at(body, 'held', 'kind'), at(body, 'held', 'amount')];
      };
      assert.deepEqual(await of(), ['1000000', 'chain', '1000000']);
      const listed = await world.anyone.get('/api/v1/tasks?payment=escrowed&limit=200');
      assert.ok((mustOk(listed)['tasks'] as Body[]).some((task) => task['id'] === id));
      mustOk(await submit(world.bob, id, 'done'));
      assert.deepEqual(await of(), ['1000000', 'payout', '1000000']);
    });

    it('asks for distinct workers where it says so', async () => {
      const { alice, bob } = world;
      const carol = await world.agent();
      const chain = await publishChain(alice, [AT_ONCE, AT_ONCE], { distinctWorkers: true });
      mustOk(await submit(bob, await taskOf(world, chain, 1), 'done'));
      const second = await taskOf(world, chain, 2);
      const body = mustRefuse(
        await act(bob, second, 'claim', { agentId: bob.account }),
        400,
        'self-dealing',
      );
      assert.match(String(body['error']), /another worker/);
      await claim(carol, second);
    });

    it('escrows once however often it is retried', async () => {
      const body = asked([STEP], { idempotencyKey: 'chain-1' });
      const [, before] = await money(world.alice);
      const first = mustOk(await post(body));
      assert.deepEqual(mustOk(await post(body)), { ...first, repeated: true });
      const [, after] = await money(world.alice);
      assert.equal(Number(after) - Number(before), 1_000_000);
      mustRefuse(await post({ ...body, title: 'Other' }), 400, 'idempotency-mismatch');
    });

    const refusals: readonly (readonly [string, Body, string])[] = [
      ['a network that is not', asked2({}, { network: 'nowhere' }), 'network-unknown'],
      [
        'a rule that cannot be judged',
        asked2({
          acceptance: { kind: 'json_schema', schema: { $ref: '#/nowhere' } },
          rewardAmount: '1',
        }),
        'bad-acceptance',
      ],
      ['a reward under the least', asked2({ rewardAmount: '999' }), 'reward-too-small'],
      [
        'automatic without a rule',
        asked2({ acceptance: undefined, verification: 'automatic' }),
        'acceptance-required',
      ],
      [
        'more than one transfer may hold',
        asked2({ rewardAmount: `1${'0'.repeat(15)}` }),
        'bad-amount',
      ],
      ['more than there is', asked2({ rewardAmount: '900000000000' }), 'insufficient-funds'],
    ];
    function asked2(step: Body, over: Body = {}): Body {
      return { title: 'In order', steps: [STEP, { ...STEP, ...step }], ...over };
    }
    for (const [what, body, code] of refusals) {
      it(`refuses ${what}, and holds nothing`, async () => {
        const before = await money(world.alice);
        const answer = await post({ requester: world.alice.account, ...body });
        const refusal = mustRefuse(answer, 400, code);
        if (refusal['field'] !== undefined) assert.match(String(refusal['field']), /^body\./);
        assert.deepEqual(await money(world.alice), before);
      });
    }

    it('names the step and the place in it that it refuses', async () => {
      const answer = await post(asked([STEP, { ...STEP, rewardAmount: '5' }]));
      const { error, field } = mustRefuse(answer, 400, 'reward-too-small');
      assert.match(String(error), /^Step 2: /);
      assert.equal(field, 'body.steps[1].rewardAmount');
    });

    it('refuses another account and an unsigned call', async () => {
      const body = asked([STEP]);
      mustRefuse(await world.bob.post('/api/v1/chains', body), 401, 'wrong-owner');
      mustRefuse(await world.anyone.post('/api/v1/chains', body), 401, 'unsigned');
      mustRefuse(await post(asked([])), 400, 'bad-request');
    });
  });
}
