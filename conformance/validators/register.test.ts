import assert from 'node:assert/strict';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { holdsDomain } from '../passport/_held.ts';
import { money, type Body } from '../tasks/_work.ts';
import {
  isSilent,
  onEachDatabase,
  openCourt,
  recordOf,
  seat,
  type PanelDriver,
  type Judge,
} from './_court.ts';

onEachDatabase('validators.register', (url) => {
  let driver: PanelDriver;
  let judge: Judge;
  let other: Judge;
  beforeEach(async () => {
    driver = await openCourt({ judges: 2, databaseUrl: await url(), unseated: true });
    const [first, second] = driver.judges;
    assert.ok(first !== undefined && second !== undefined);
    [judge, other] = [first, second];
  });
  afterEach(() => driver.close());

  const register = (by: Judge, over: Body = {}) =>
    by.agent.post('/api/v1/validators', {
      account: by.agent.account,
      endpoint: by.endpoint,
      ...over,
    });

  it('seats at once, with the stake held and the ceiling that it buys', async () => {
    const body = await seat(judge, { stake: '2000000', skill: 'extraction', minFeeBps: 20 });
    const { account } = judge.agent;
    assert.deepEqual(
      [body['state'], body['paused'], body['pausedReason'], body['stake'], body['ceiling']],
      ['seated', true, 'probe-pending', '2000000', '11000000'],
    );
    assert.deepEqual(
      (body['next'] as Body[]).map(({ action, who }) => [action, who]),
      [
        ['validators.register', account],
        ['validators.resign', account],
      ],
    );
    assert.deepEqual(await money(judge.agent), ['100000000', '2000000', '98000000']);
    const wallet = mustOk(await judge.agent.get(`/api/v1/wallet/${account}`));
    const [hold] = at(wallet, 'held', 'by') as Body[];
    assert.deepEqual([hold?.['kind'], at(hold, 'ref', 'kind')], ['stake', 'seat']);
    const me = mustOk(await judge.agent.get('/api/v1/me'));
    assert.deepEqual(at(me, 'validatorSeat'), {
      state: 'seated',
      paused: true,
      endpoint: judge.endpoint,
      stake: '2000000',
      ceiling: '11000000',
      asset: 'USDC',
      network: 'sandbox',
      seatedAt: body['seatedAt'],
    });
    assert.equal(at(mustOk(await other.agent.get('/api/v1/me')), 'validatorSeat'), undefined);
  });

  it('needs no stake: a free seat judges up to 1 USDC', async () => {
    const body = await seat(judge);
    assert.deepEqual(
      [body['stake'], body['ceiling'], body['transferId']],
      ['0', '1000000', undefined],
    );
    assert.deepEqual(await money(judge.agent), ['100000000', '0', '100000000']);
  });

  it('raises the stake to a total, changes the rest, and keeps the record', async () => {
    const first = await seat(judge, { stake: '1000000', skill: 'extraction' });
    await driver.world.hub.runJob('seatProbes');
    const raised = await seat(judge, { stake: '3000000' });
    assert.deepEqual(
      [raised['id'], raised['stake'], raised['skill'], raised['paused']],
      [first['id'], '3000000', undefined, false],
    );
    assert.deepEqual(await money(judge.agent), ['100000000', '3000000', '97000000']);
    const same = await seat(judge);
    assert.deepEqual([same['stake'], same['transferId']], ['3000000', undefined]);
    const { error, field } = mustRefuse(
      await register(judge, { stake: '2999999' }),
      400,
      'seat-exists',
    );
    assert.match(String(error), /only rises/);
    assert.equal(field, 'body.stake');
    const moved = await seat(judge, { endpoint: `http://${judge.pair}/elsewhere` });
    assert.deepEqual([moved['paused'], moved['pausedReason']], [true, 'probe-pending']);
  });

  it('answers a repeat with the first result, and holds once', async () => {
    const over = { stake: '500000', idempotencyKey: 'seat-1' };
    const first = await seat(judge, over);
    assert.deepEqual(await seat(judge, over), { ...first, repeated: true });
    assert.deepEqual(await money(judge.agent), ['100000000', '500000', '99500000']);
    const twice = await register(judge, { ...over, stake: '600000' });
    mustRefuse(twice, 400, 'idempotency-mismatch');
  });

  it('tries the endpoint with a synthetic case, signed, and later and later while it fails', async () => {
    await seat(judge);
    const { hub } = driver.world;
    await hub.runJob('seatProbes');
    const [asked] = judge.requests;
    assert.deepEqual(Object.keys(asked?.body ?? {}), [
      'taskId',
      'attemptId',
      'title',
      'description',
      'input',
      'result',
    ]);
    assert.ok(asked?.signedBy !== undefined);
    assert.equal((await recordOf(driver, judge))['paused'], false);
    other.does(isSilent, 'synthetic too');
    await seat(other);
    for (const [wait, calls] of [
      [0, 1],
      [59, 1],
      [1, 2],
      [119, 2],
      [1, 3],
    ] as const) {
      hub.clock.advance(wait);
      await hub.runJob('seatProbes');
      assert.equal(other.requests.length, calls);
      assert.equal((await recordOf(driver, other))['pausedReason'], 'probe-failed');
    }
    const silent = mustRefuse(await register(other, { stake: '5' }), 400, 'endpoint-silent');
    assert.match(String(silent['error']), /gave no verdict/);
    assert.match(String(silent['hint']), /POST \/api\/v1\/validators/);
    other.does(() => 'rejected: I do not add');
    hub.clock.advance(60);
    await seat(other);
    await hub.runJob('seatProbes');
    const { paused, record } = await recordOf(driver, other);
    assert.deepEqual([paused, at(record, 'rounds')], [false, 0]);
    assert.equal(judge.requests.length, 1, 'who answered is asked no more');
  });

  it('refuses in order of precedence, each with the next call', async () => {
    const { account } = judge.agent;
    const named = await register(judge, { account: other.agent.account });
    mustRefuse(named, 401, 'wrong-owner');
    const network = await register(judge, { network: 'moon', endpoint: 'ftp://a' });
    assert.equal(network.status, 400);
    mustRefuse(await register(judge, { network: 'moon' }), 400, 'network-unknown');
    for (const endpoint of [
      'http://judge.example.com/verdict',
      'https://10.0.0.1/verdict',
      'https://user@judge.example.com/',
      'http://127.0.0.1:9/verdict',
      'https://localhost/',
      'https://[::1]/',
    ]) {
      const refused = mustRefuse(await register(judge, { endpoint }), 400, 'endpoint-refused');
      assert.equal(refused['field'], 'body.endpoint');
      assert.match(String(refused['hint']), /public https address/);
    }
    await seat(other);
    const taken = mustRefuse(
      await register(judge, { endpoint: other.endpoint, stake: '999999999999' }),
      400,
      'seat-exists',
    );
    assert.match(String(taken['error']), /already has a seat/);
    assert.match(String(taken['hint']), /GET \/api\/v1\/validators/);
    const broke = await register(judge, { stake: '100000001' });
    const { hint } = mustRefuse(broke, 400, 'insufficient-funds');
    assert.match(String(hint), new RegExp(`/wallet/${account}`));
    assert.equal(at(mustOk(await judge.agent.get('/api/v1/me')), 'validatorSeat'), undefined);
    const moved = await register(other, { network: 'base' });
    assert.match(String(mustRefuse(moved, 400, 'seat-exists')['error']), /on sandbox for good/);
  });

  it('gives a host to the holder of its domain, in place of another who sits there', async () => {
    await seat(other, { stake: '700000' });
    const wish = { endpoint: other.endpoint, stake: '500000' };
    const { hint } = mustRefuse(await register(judge, wish), 400, 'seat-exists');
    assert.match(String(hint), /prove its domain by `POST \/api\/v1\/passport\/verify/);
    await holdsDomain(driver.world, judge.agent, other.pair);
    mustOk(await register(judge, wish));
    assert.deepEqual(await money(other.agent), ['100000000', '0', '100000000']);
    const back = await register(other, { endpoint: other.endpoint });
    mustRefuse(back, 400, 'seat-exists');
    const { validators } = mustOk(await driver.world.anyone.get('/api/v1/validators'));
    const states = (validators as Body[]).map(({ account, state }) => [account, state]);
    assert.deepEqual(states, [
      [judge.agent.account, 'seated'],
      [other.agent.account, 'closed'],
    ]);
  });

  it('never seats two at one host, nor one twice, however many ask at once', async () => {
    const crowd = [judge, other].flatMap((each) =>
      Array.from({ length: 5 }, () =>
        register(each, { endpoint: judge.endpoint, stake: '700000' }),
      ),
    );
    const answers = await Promise.all(crowd);
    for (const answer of answers) {
      if (answer.status !== 200) mustRefuse(answer, 400, 'seat-exists');
    }
    const page = mustOk(await driver.world.anyone.get('/api/v1/validators'));
    assert.equal(page['count'], 1);
    const held = await Promise.all(
      [judge, other].map(async ({ agent }) => (await money(agent))[1]),
    );
    assert.deepEqual(held.sort(), ['0', '700000']);
  });
});
