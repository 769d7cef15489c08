import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { act, events, money, names, read, type Body } from '../tasks/_work.ts';
import {
  accepts,
  delivered,
  isSilent,
  judgeBy,
  karmaOf,
  onEachDatabase,
  openCourt,
  panels,
  recordOf,
  rejects,
  seat,
  shown,
  type PanelDriver,
} from './_court.ts';
import { until } from '../harness/waiting.ts';
import { limitedKey } from '../wallet/_policies.ts';

onEachDatabase('panels', (url) => {
  let driver: PanelDriver;
  beforeEach(async () => {
    driver = await openCourt({ judges: 3, databaseUrl: await url() });
  });
  afterEach(() => driver.close());

  const economics = async (id: string): Promise<Body> =>
    mustOk(await driver.world.anyone.get(`/api/v1/tasks/${id}/economics`));
  const drawnJudges = async (id: string) =>
    (at((await panels(driver, id))[0], 'judges') as Body[]).map(({ account }) =>
      judgeBy(driver, account),
    );

  it('accept by majority, and the payout waits its window with the judges’ share in it', async () => {
    const { world } = driver;
    const id = await delivered(driver, { disputeWindowSeconds: 3_600 });
    await driver.sit();
    assert.deepEqual((await events(world, id)).slice(-2), ['task.delivered', 'panel.accepted']);
    const { state, panels: rounds, history } = await read(world, id);
    assert.equal(state, 'accepted');
    assert.deepEqual(shown(at(rounds, 0)), ['accepted', 'accepted', 'accepted']);
    assert.equal((history as Body[]).at(-1)?.['note'], '3 of 3 judges accepted it');
    const { plan, held } = await economics(id);
    assert.deepEqual(
      [at(held, 'kind'), at(plan, 'hub'), at(plan, 'judges'), at(plan, 'worker')],
      ['payout', '30000', '10000', '960000'],
    );
    const drawn = await drawnJudges(id);
    for (const { agent } of drawn) {
      assert.deepEqual(await money(agent), ['100000000', '1000000', '99000000']);
      assert.equal(await karmaOf(driver, agent), 1);
    }
    world.hub.clock.advance(3_600);
    await world.hub.runJob('payoutRelease');
    assert.deepEqual(await money(world.bob), ['960000', '0', '960000']);
    const shares = ['100003334', '100003333', '100003333'];
    for (const [place, { agent }] of drawn.entries()) {
      assert.equal((await money(agent))[0], shares[place]);
    }
  });

  it('send each judge exactly the six fields, signed by a key of /keys', async () => {
    const { world, judges } = driver;
    const input = { page: 'https://shop.example/prices' };
    const id = await delivered(driver, { input, description: 'Read it.' }, { plans: [1, 2] });
    await driver.sit();
    const { keys } = mustOk(await world.anyone.get('/keys'));
    const hubKeys = (keys as Body[]).map(({ keyId }) => keyId);
    const [attempt] = (await read(world, id))['workers'] as Body[];
    for (const { cases, requests } of judges) {
      assert.deepEqual(cases, [
        {
          taskId: id,
          attemptId: attempt?.['id'],
          title: 'Do it',
          description: 'Read it.',
          input,
          result: { plans: [1, 2] },
        },
      ]);
      assert.ok(requests.every(({ signedBy }) => hubKeys.includes(signedBy)));
      const { headers } = requests[0] ?? {};
      assert.equal(headers?.['content-type'], 'application/json');
      assert.equal(headers?.['signature-agent'], `sig2="${world.hub.url}"`);
    }
  });

  it('reject by majority: the claim comes back, who differed is on record, votes are shown', async () => {
    const { world, judges } = driver;
    const [one, two, three] = judges;
    one?.does(rejects);
    two?.does(() => 'Rejected: it is empty.\nAnd more.');
    const id = await delivered(driver);
    await driver.sit();
    const task = await read(world, id);
    assert.equal(task['state'], 'open');
    const [attempt] = task['workers'] as Body[];
    assert.deepEqual(
      [attempt?.['state'], attempt?.['reason']],
      ['rejected', '2 of 3 judges rejected it'],
    );
    assert.equal(await karmaOf(driver, world.bob), -1);
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'state'), at(panel, 'verdict')], ['decided', 'rejected']);
    const reasons = new Map(
      (at(panel, 'judges') as Body[]).map(({ account, reason }) => [account, reason]),
    );
    assert.deepEqual(
      judges.map(({ agent }) => reasons.get(agent.account)),
      ['Wrong.', 'it is empty.', 'Fine.'],
    );
    assert.ok(three !== undefined && two !== undefined);
    const { record, karma } = await recordOf(driver, three);
    const lastTwenty = { rounds: 1, disagreed: 1, retiresAtDisagreed: 10 };
    const counts = { rounds: 1, noShows: 0, overturned: 0, medianAnswerMs: 0 };
    assert.deepEqual(record, { ...counts, agreed: 0, disagreed: 1, lastTwenty });
    assert.equal(karma, -1);
    const other = await recordOf(driver, two);
    assert.deepEqual([at(other, 'record', 'agreed'), other['karma']], [1, 1]);
  });

  it('are paid when the task then ends unpaid: no judge is paid to accept', async () => {
    const { world, judges } = driver;
    for (const judge of judges) judge.does(rejects);
    const id = await delivered(driver);
    await driver.sit();
    const before = await economics(id);
    assert.deepEqual(before['earmarked'], { judges: '10000', ifRefunded: '990000' });
    const next = before['next'] as Body[];
    const preview = next.find(({ action }) => action === 'tasks.cancel');
    assert.match(String(preview?.['note']), /earned 10000; 990000 go back/);
    const own = { requester: world.alice.account };
    const poor = await limitedKey(world, world.alice, { perCall: '9999' });
    mustRefuse(await act(poor, id, 'cancel', own), 400, 'policy-limit');
    const cancelled = mustOk(await act(world.alice, id, 'cancel', own));
    assert.equal(at(cancelled, 'refunded', 'amount'), '990000');
    assert.deepEqual(await money(world.alice), ['99990000', '0', '99990000']);
    const { settled, refunded, posted } = await economics(id);
    const paid = (settled as Body[]).map(({ amount }) => Number(amount));
    assert.deepEqual([...paid].sort(), [3333, 3333, 3334]);
    assert.deepEqual([posted, at(refunded, 'amount')], ['1000000', '990000']);
  });

  it('share one pot over all decided rounds of a task, each judge once', async () => {
    const { world, judges } = driver;
    for (const judge of judges) judge.does(rejects);
    const id = await delivered(driver, { disputeWindowSeconds: 0 });
    await driver.sit();
    for (const judge of judges) judge.does(accepts);
    const claimed = mustOk(await act(world.bob, id, 'claim', { agentId: world.bob.account }));
    assert.equal(at(claimed, 'deliver', 'pays', 'judges'), '10000');
    const { claimToken } = claimed;
    mustOk(await act(world.bob, id, 'submit', { claimToken, result: 'Better.' }));
    await driver.sit();
    assert.equal((await read(world, id))['state'], 'paid');
    assert.equal((await panels(driver, id)).length, 2);
    assert.deepEqual(await money(world.bob), ['960000', '0', '960000']);
    const won = await Promise.all(judges.map(async ({ agent }) => (await money(agent))[0]));
    assert.deepEqual(won.sort(), ['100003333', '100003333', '100003334']);
  });

  it('keep votes sealed while a judge may still answer', async () => {
    const { world, judges } = driver;
    const [first] = judges;
    const waiting: (() => void)[] = [];
    first?.does((_, response) => {
      waiting.push(() => response.end('accepted'));
    });
    const id = await delivered(driver);
    const sitting = world.hub.runJob('panelCalls');
    await until(async () => waiting.length > 0 && judges.every(({ cases }) => cases.length > 0));
    const [panel] = await panels(driver, id);
    assert.equal(at(panel, 'state'), 'open');
    for (const judge of at(panel, 'judges') as Body[]) {
      assert.deepEqual(Object.keys(judge), ['account', 'state']);
      assert.equal(judge['state'], 'drawn');
    }
    for (const answer of waiting) answer();
    await sitting;
    assert.equal(at((await panels(driver, id))[0], 'state'), 'decided');
  });

  it('let the requester accept early, at no cost for judging, and never reject meanwhile', async () => {
    const { world, judges } = driver;
    for (const judge of judges) judge.does(isSilent);
    const id = await delivered(driver);
    await driver.sit();
    const { alice, bob } = world;
    const body = { requester: alice.account, reason: 'No.' };
    const refusal = mustRefuse(await act(alice, id, 'reject', body), 400, 'wrong-state');
    assert.equal(refusal['retryAfterSeconds'], 6 * 3_600);
    assert.deepEqual(names(refusal['next']), ['tasks.accept', 'tasks.comment']);
    mustOk(await act(alice, id, 'accept', { requester: alice.account }));
    assert.deepEqual(await money(bob), ['970000', '0', '970000']);
    assert.deepEqual((await economics(id))['feesBps'], { hubBps: 300, judgesBps: 0 });
    assert.deepEqual((await read(world, id))['fees'], { hubBps: 300, judgesBps: 0 });
    const [panel] = await panels(driver, id);
    assert.equal(at(panel, 'state'), 'cancelled');
    assert.deepEqual(shown(panel), ['released', 'released', 'released']);
    world.hub.clock.advance(5);
    await driver.sit();
    assert.ok(
      judges.every(({ cases }) => cases.length === 1),
      'no judge is called again',
    );
  });

  it('judge unpaid work too, and say at publication when none could', async () => {
    const { world } = driver;
    const unpaid = await delivered(driver, { rewardAmount: undefined });
    await driver.sit();
    assert.equal((await read(world, unpaid))['state'], 'accepted');
    const dear = { verification: 'validator', rewardAmount: '6000001' };
    const body = { requester: world.alice.account, title: 'Dear', ...dear };
    const { warning } = mustOk(await world.alice.post('/api/v1/tasks', body));
    assert.match(String(warning), /No validator may judge this task now/);
    const within = { ...body, rewardAmount: '6000000' };
    assert.equal(mustOk(await world.alice.post('/api/v1/tasks', within))['warning'], undefined);
  });

  it('are of one judge while fewer than three may, who agrees with no other', async () => {
    const { judges } = driver;
    const [one, two] = judges;
    assert.ok(one !== undefined && two !== undefined);
    await seat(one, { minFeeBps: 34 });
    const id = await delivered(driver);
    await driver.sit();
    const [panel] = await panels(driver, id);
    assert.deepEqual([at(panel, 'size'), shown(panel)], [1, ['accepted']]);
    assert.equal((at(panel, 'pool') as Body[]).length, 3, 'alone each gets the whole 100');
    const judge = judgeBy(driver, at(panel, 'judges', 0, 'account'));
    const { record, karma } = await recordOf(driver, judge);
    assert.deepEqual([at(record, 'rounds'), at(record, 'agreed'), karma], [1, 0, 0]);
  });
});
