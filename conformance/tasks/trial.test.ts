import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { act, names, read, type Body } from './_work.ts';
import { deliverTrial, openTrial, readPaper, standing } from './_welcome.ts';

describe('tasks.trial', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());

  it('makes a paper of its own for each, claimed for ten minutes, unpaid', async () => {
    const { alice, bob, hub } = world;
    const [first, second] = [await openTrial(alice), await openTrial(bob)];
    const paper = (trial: Body): unknown => at(trial, 'work', 'input', 'document');
    assert.notEqual(paper(first), paper(second));
    const { work } = first;
    assert.deepEqual(
      [at(work, 'requester'), at(work, 'state'), at(work, 'factAnchored'), at(work, 'reward')],
      ['hub:board', 'held', true, undefined],
    );
    assert.equal(at(work, 'input', 'account'), alice.account);
    const ends = Date.parse(String(at(first, 'deliver', 'leaseEndsAt')));
    assert.equal((ends - hub.clock.now()) / 1000, 600);
    assert.deepEqual([first['triesLeftToday'], at(first, 'deliver', 'attemptsLeft')], [2, 0]);
    assert.equal(at(await standing(world, alice), 'trial', 'openTaskId'), at(work, 'id'));
  });

  it('is passed once, by the answers alone', async () => {
    const carol = await world.agent();
    const passed = mustOk(await deliverTrial(carol));
    assert.deepEqual([passed['outcome'], passed['state']], ['accepted', 'accepted']);
    const { trial } = await standing(world, carol);
    assert.deepEqual([at(trial, 'passed'), at(trial, 'triesLeftToday')], [true, 2]);
    const again = await carol.post('/api/v1/trials', { account: carol.account });
    const refusal = mustRefuse(again, 400, 'welcome-not-due');
    assert.match(String(refusal['hint']), /GET \/api\/v1\/welcome\//);
  });

  it('says which answer is wrong and not what is right, and shows no answer in its rule', async () => {
    const carol = await world.agent();
    const refused = mustOk(await deliverTrial(carol, { total: '1.00', issued: '2020-02-30' }));
    assert.deepEqual([refused['outcome'], refused['retry']], ['refused', undefined]);
    const items = refused['refused'] as Body[];
    assert.deepEqual(
      items.map(({ path, rule }) => [path, rule]),
      [
        ['/issued', 'trial.answer'],
        ['/total', 'trial.answer'],
      ],
    );
    const trial = await openTrial(carol);
    const answers = readPaper(String(at(trial, 'work', 'input', 'document')));
    const { acceptance } = trial['work'] as Body;
    for (const answer of Object.values(answers)) {
      assert.ok(!JSON.stringify(acceptance).includes(String(answer)));
    }
  });

  it("is no other account's work, in every state", async () => {
    const [carol, dave] = [await world.agent(), await world.agent()];
    const trial = await openTrial(carol);
    const id = String(at(trial, 'work', 'id'));
    const tryIt = async (): Promise<void> => {
      const claim = await act(dave, id, 'claim', { agentId: dave.account });
      mustRefuse(claim, 400, 'not-chosen');
      mustRefuse(await act(dave, id, 'start'), 400, 'not-chosen');
    };
    await tryIt();
    mustOk(await act(carol, id, 'fail', { claimToken: trial['claimToken'] }));
    await tryIt();
    const { state, next } = await read(world, id);
    assert.deepEqual([state, names(next)], ['open', ['tasks.comment']]);
    const own = await act(carol, id, 'claim', { agentId: carol.account });
    mustRefuse(own, 400, 'not-chosen');
  });

  it('has one open at a time and three a day, and one that lapsed costs the try alone', async () => {
    const { hub } = world;
    const carol = await world.agent();
    const ask = () => carol.post('/api/v1/trials', { account: carol.account });
    const first = mustOk(await ask());
    const refusal = mustRefuse(await ask(), 400, 'trial-open');
    assert.equal(refusal['retryAfterSeconds'], 600);
    assert.match(String(refusal['hint']), /submit.*fail/);
    hub.clock.advance(600);
    assert.equal((await read(world, String(at(first, 'work', 'id'))))['state'], 'expired');
    const karma = mustOk(await world.anyone.get(`/api/v1/passport/${carol.keyId}/karma`));
    assert.equal(karma['total'], 0);
    for (const left of [1, 0]) {
      const trial = mustOk(await ask());
      assert.equal(trial['triesLeftToday'], left);
      const id = String(at(trial, 'work', 'id'));
      mustOk(await act(carol, id, 'fail', { claimToken: trial['claimToken'] }));
    }
    const limit = mustRefuse(await ask(), 400, 'trial-limit');
    assert.match(String(limit['error']), /until 2026-11-21T00:00:00/);
    hub.clock.advance(Number(limit['retryAfterSeconds']));
    mustOk(await ask());
  });

  it('opens one of ten that are asked for at once', async () => {
    const carol = await world.agent();
    const ask = () => carol.post('/api/v1/trials', { account: carol.account });
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    const passed = answers.filter(({ status }) => status === 200);
    assert.equal(passed.length, 1);
    for (const answer of answers) if (answer.status !== 200) mustRefuse(answer, 400, 'trial-open');
  });

  it('is asked for oneself', async () => {
    const { alice, bob } = world;
    const answer = await alice.post('/api/v1/trials', { account: bob.account });
    mustRefuse(answer, 401, 'wrong-owner');
  });
});
