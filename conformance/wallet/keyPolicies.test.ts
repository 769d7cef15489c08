import assert from 'node:assert/strict';
import { generateKey } from '../../clients/typescript/sign.ts';
import { agentWith, joinAccount, type Agent } from '../harness/agents.ts';
import { fakeClock } from '../harness/clock.ts';
import type { DeclaredOperation } from '../harness/contract.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { requestsOf, WALKED, type Things } from '../kinds/hints/_walk.ts';
import { makeSpace, writeNote } from '../memory/space.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { compat, mintKey, mustRefuseCompat } from '../models/_desk.ts';
import { newMarket } from '../predictions/_markets.ts';
import { claim, money, publish } from '../tasks/_work.ts';
import { joinedKey, limitedKey, limitsOf, payBy, setPolicy } from './_policies.ts';

/** Attacks on the spending policy of a key, each of which has passed a budget somewhere. */
hubsOnBothDatabases('spending policies', (open) => {
  let world: Fixture;
  let other: Fixture;
  const clock = fakeClock(Date.parse('2026-11-26T10:30:00.000Z'));
  const behind = fakeClock(Date.parse('2026-11-26T10:30:00.000Z'));
  let owner: Agent;
  before(async () => {
    world = await open({ clock });
    other = await open({ clock: behind });
    owner = await world.agent();
    await world.fund(owner, '900000000');
  });

  /** One key at both processes. */
  const atBoth = async (policy: Readonly<Record<string, unknown>>): Promise<readonly Agent[]> => {
    const pair = await generateKey();
    const keys = [world, other].map(({ hub }) => agentWith(hub, pair));
    const [first] = keys;
    assert.ok(first !== undefined);
    mustOk(await joinAccount(owner, first));
    mustOk(await setPolicy(owner, first, policy));
    return keys.map((key) => ({ ...key, account: owner.account }));
  };

  it('50 payments at once at two processes pass exactly the limit', async () => {
    const keys = await atBoth({ perDay: '10000' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => payBy(keys[nth % 2] ?? owner, world.bob, '1000')),
    );
    const passed = answers.filter(({ status }) => status === 200);
    assert.equal(passed.length, 10);
    for (const answer of answers) {
      if (answer.status !== 200) mustRefuse(answer, 400, 'policy-limit');
    }
    const [key = owner] = keys;
    assert.deepEqual((await limitsOf(key))['day']?.left, '0');
  });

  it('a limit that is lowered while payments run is never passed by a later one', async () => {
    const keys = await atBoth({ perDay: '100000' });
    const [key = owner] = keys;
    const running = Array.from({ length: 20 }, (_, nth) =>
      payBy(keys[nth % 2] ?? owner, world.bob, '1000'),
    );
    mustOk(await setPolicy(owner, key, { perDay: '0' }));
    const late = await Promise.all(keys.map((each) => payBy(each, world.bob, '1')));
    for (const answer of late) mustRefuse(answer, 400, 'policy-limit');
    await Promise.all(running);
  });

  it('a process whose clock is behind reopens no window that another one has left', async () => {
    const [ahead = owner, late = owner] = await atBoth({ perHour: '100' });
    mustOk(await payBy(ahead, world.bob, '100'));
    clock.jump(1_800_000);
    mustOk(await payBy(ahead, world.bob, '60'));
    mustRefuse(await payBy(late, world.bob, '60'), 400, 'policy-limit');
    mustOk(await payBy(late, world.bob, '40'));
    mustRefuse(await payBy(ahead, world.bob, '1'), 400, 'policy-limit');
    behind.jump(1_800_000);
  });

  it('a hold that ends gives back to the window in which it was taken, and to no other', async () => {
    const key = await limitedKey(world, owner, { perHour: '2000000', perDay: '5000000' });
    const cancel = async (id: string): Promise<void> => {
      mustOk(await key.post(`/api/v1/tasks/${id}/cancel`, { requester: owner.account }));
    };
    const first = await publish(key);
    assert.equal((await limitsOf(key))['hour']?.used, '1000000');
    await cancel(first.id);
    assert.equal((await limitsOf(key))['hour']?.used, '0', 'within its hour it is given back');
    const second = await publish(key);
    clock.jump(3_600_000);
    behind.jump(3_600_000);
    mustOk(await payBy(key, world.bob, '1500000'));
    await cancel(second.id);
    const limits = await limitsOf(key);
    assert.equal(limits['hour']?.used, '1500000', 'the next hour has nothing to give back');
    assert.equal(limits['day']?.used, '1500000', 'the day has: it was taken in it');
    mustRefuse(await payBy(key, world.bob, '500001'), 400, 'policy-limit');
  });

  it('what is paid out of a hold counts once, and money that comes back from others never', async () => {
    const key = await limitedKey(world, owner, { perDay: '2000000' });
    const worker = await world.agent();
    const { id } = await publish(key, { verification: 'requester' });
    const claimToken = await claim(worker, id);
    mustOk(await worker.post(`/api/v1/tasks/${id}/submit`, { claimToken, result: 'done' }));
    mustOk(await key.post(`/api/v1/tasks/${id}/accept`, { requester: owner.account }));
    assert.equal((await limitsOf(key))['day']?.used, '1000000');
    mustOk(await payBy(key, world.bob, '500000'));
    mustOk(await payBy(world.bob, owner, '500000'));
    assert.equal((await limitsOf(key))['day']?.used, '1500000');
  });

  it('a call of a model counts what it costs in the end', async () => {
    const key = await limitedKey(world, owner, { perDay: '2000000' });
    const messages = [{ role: 'user', content: 'Say it again.' }];
    const ask = { caller: owner.account, model: 'hub/echo', messages, max_tokens: 50 };
    const spendable = async (): Promise<number> => Number((await money(owner))[2]);
    const before = await spendable();
    mustOk(await key.post('/api/v1/models/chat', ask));
    const cost = before - (await spendable());
    assert.ok(cost > 0 && cost < 50, `it cost ${cost}`);
    assert.equal((await limitsOf(key))['day']?.used, `${cost}`);
    const { id: spaceId } = await makeSpace(owner);
    const note = { author: owner.account, spaceId, content: 'kept' };
    mustOk(await key.post('/api/v1/memory', note));
    const spent = before - (await spendable());
    assert.equal((await limitsOf(key))['day']?.used, `${spent}`);
  });

  it('is asked by both agent doors', async () => {
    const key = await limitedKey(world, owner, { perCall: '10' });
    const before = await money(owner);
    const params = {
      name: 'wallet-pay',
      arguments: { owner: owner.account, to: world.bob.account, amount: '11', idempotencyKey: 'm' },
    };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    assert.match((await key.post('/mcp', call)).text, /policy-limit/);
    const mint = { ...params, name: 'wallet-mint-api-key', arguments: { owner: owner.account } };
    assert.doesNotMatch(
      (await key.post('/mcp', { ...call, params: mint })).text,
      /hub_[A-Za-z0-9]/,
    );
    assert.deepEqual(await money(owner), before);
  });

  it('an API key spends under the policy of the key that minted it, and ends with it', async () => {
    const operations = ['wallet.mintApiKey', 'models.completions'];
    const policy = { perDay: '40', operations, models: ['hub/echo'] };
    const key = await limitedKey(world, owner, policy);
    const apiKey = await mintKey(key);
    const ask = (place: Fixture, more: object = {}) => {
      const messages = [{ role: 'user', content: 'Say it again.' }];
      const body = { model: 'hub/echo', messages, max_tokens: 5, ...more };
      return compat(place, '/v1/chat/completions', apiKey, body);
    };
    mustOk(await ask(world));
    const used = Number((await limitsOf(key))['day']?.used);
    assert.ok(used > 0 && used <= 40);
    mustRefuseCompat(await ask(other, { max_tokens: 500 }), 400, 'policy-limit');
    mustRefuseCompat(await ask(other, { model: 'acme/none' }), 401, 'policy-forbids');
    mustOk(await setPolicy(owner, key, { ...policy, approveAbove: '0' }));
    mustRefuseCompat(await ask(world), 401, 'policy-forbids');
    mustOk(await setPolicy(owner, key, { ...policy, operations: ['wallet.pay'] }));
    mustRefuseCompat(await ask(other), 401, 'policy-forbids');
    mustOk(await setPolicy(owner, key, policy));
    mustOk(await owner.post(`/api/v1/wallet/${owner.account}/keys/${key.keyId}/revoke`));
    for (const place of [world, other]) {
      mustRefuseCompat(await ask(place), 401, 'api-key');
      mustRefuseCompat(await compat(place, '/v1/models', apiKey), 401, 'api-key');
    }
  });

  it('shows a file of 3 MB by its place alone, and permits these very bytes', async () => {
    const key = await limitedKey(world, owner, { approveAbove: '0' });
    const put = (letter: string) => {
      const contentBase64 = Buffer.alloc(3_000_000, letter).toString('base64');
      return key.post('/api/v1/files', { owner: owner.account, key: 'large.bin', contentBase64 });
    };
    const { approvalId } = mustRefuse(await put('a'), 400, 'approval-needed');
    const wallet = `/api/v1/wallet/${owner.account}`;
    const { text } = await owner.get(`${wallet}/approvals`);
    assert.ok(text.includes('large.bin') && text.length < 4_000);
    mustOk(await owner.post(`${wallet}/approvals/${String(approvalId)}`, { decision: 'approved' }));
    mustRefuse(await put('b'), 400, 'approval-needed');
    mustOk(await put('a'));
    mustRefuse(await put('a'), 400, 'approval-needed');
  });
});

/** Operations that are free unless they save something, or need a file or an own task first. */
const FREE = ['services.compressPrompt', 'files.get', 'tasks.amend'];
const TABLES = '/api/v1/games/poker/tables';

describe('operations that spend', () => {
  let world: Fixture;
  let things: Things;
  let owner: Agent;
  let key: Agent;
  before(async () => {
    world = await openFixture();
    const { alice } = world;
    await world.fund(alice, '100000000');
    const table = { format: 'cash', seats: 6, bigBlind: '1000' };
    const { id } = mustOk(await alice.post(TABLES, table));
    const { id: task } = await publish(alice);
    const market = await newMarket(world);
    things = {
      [TABLES]: String(id),
      to: alice.account,
      '/api/v1/tasks': task,
      '/api/v1/games/predictions/markets': market,
    };
    owner = await world.agent();
    await world.fund(owner, '900000000');
    key = await joinedKey(world, owner);
    const space = await makeSpace(owner);
    const { id: spaceId } = space;
    // A search that finds nothing costs nothing.
    mustOk(await writeNote(owner, space, 'plans billed yearly'));
    things = { ...things, spaceId, '/api/v1/memory/spaces': spaceId };
    const named = [
      'wallet.withdraw',
      'models.chat',
      'tasks.amend',
      ...spending.map(({ operationId }) => operationId),
    ];
    mustOk(await setPolicy(owner, key, { perCall: '0', operations: named }));
  });
  after(() => world.close());

  const spending: readonly DeclaredOperation[] = WALKED.filter(
    ({ operationId, raw }) =>
      (raw['x-errors'] as readonly string[]).includes('insufficient-funds') &&
      at(raw, 'x-door', 'outside') !== true &&
      !FREE.includes(operationId),
  );

  for (const operation of spending) {
    it(`${operation.operationId} takes nothing above the limit of a call`, async () => {
      const before = await money(owner);
      const codes = new Set<unknown>();
      for (const { path, body } of requestsOf(operation, key, things).slice(0, 40)) {
        const answer =
          operation.method === 'GET' ? await key.get(path) : await key.post(path, body);
        codes.add(answer.body['code']);
      }
      assert.ok(codes.has('policy-limit'), `met ${[...codes].join(', ')}`);
      assert.deepEqual(await money(owner), before);
    });
  }

  it('tasks.amend takes nothing above the limit of a call', async () => {
    const task = await publish(owner);
    const before = await money(owner);
    const raise = { by: owner.account, change: { rewardAmount: '1000001' } };
    const path = `/api/v1/tasks/${task.id}/amendments`;
    mustRefuse(await key.post(path, raise), 400, 'policy-limit');
    assert.deepEqual(await money(owner), before);
    mustOk(await owner.post(path, raise));
    assert.notDeepEqual(await money(owner), before, 'the raise is held');
  });

  it('files.get takes nothing above the limit of a call', async () => {
    const contentBase64 = Buffer.from('a file that costs something to read').toString('base64');
    const file = { owner: owner.account, key: 'read.txt', contentBase64 };
    mustOk(await owner.post('/api/v1/files', file));
    const before = await money(owner);
    const path = `/api/v1/files/${owner.account}/read.txt`;
    mustRefuse(await key.get(path), 400, 'policy-limit');
    assert.deepEqual(await money(owner), before);
    mustOk(await owner.get(path));
    assert.notDeepEqual(await money(owner), before, 'it has a price');
  });

  it('wallet.withdraw and models.chat take nothing above the limit of a call', async () => {
    const before = await money(owner);
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const wallet = `/api/v1/wallet/${owner.account}`;
    const out = { address, amount: '50000', idempotencyKey: 'out' };
    mustRefuse(await key.post(`${wallet}/withdraw`, out), 400, 'policy-limit');
    const messages = [{ role: 'user', content: 'Say it again.' }];
    const ask = { caller: owner.account, model: 'hub/echo', messages, max_tokens: 5 };
    mustRefuse(await key.post('/api/v1/models/chat', ask), 400, 'policy-limit');
    assert.deepEqual(await money(owner), before);
  });

  it('are most of those that the contract has', () => {
    assert.ok(spending.length >= 12, `${spending.length} operations`);
  });
});
