import assert from 'node:assert/strict';
import { mustOk } from '../../harness/must.ts';
import { openFixture, type Fixture } from '../../harness/fixture.ts';
import {
  asOverHttp,
  MCP,
  mustFault,
  mustRefuseResult,
  mustResult,
  readRpc,
  request,
  send,
  toolCall,
  type Json,
  type RpcAnswer,
} from './_door.ts';

/** A tool call is its operation: the same checks, the same refusals, the same money. */
const REWARD = '1000000';
const NOBODY = '01938c7a-9d4e-7c31-8a55-0b6f2d1e4c90';

describe('a tool call', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
    await world.fund(world.alice, '50000000');
  });
  after(() => world.close());

  const task = (over: Json = {}): Json => ({
    requester: world.alice.account,
    title: 'Do it',
    rewardAmount: REWARD,
    acceptance: { kind: 'contains', values: ['done'] },
    ...over,
  });

  it('needs no signature for a public tool and answers as the route does', async () => {
    const answer = mustResult(await send(world, toolCall(1, 'list-tasks', { limit: 3 })));
    const { body } = await world.anyone.get('/api/v1/tasks?limit=3');
    assert.deepEqual(asOverHttp(answer), body);
  });

  it('takes typed values and their text alike, and caps as the route does', async () => {
    for (const limit of [1, '1']) {
      mustResult(await send(world, toolCall(1, 'list-tasks', { limit })));
    }
    const over = mustResult(await send(world, toolCall(1, 'list-tasks', { limit: 1_000_000 })));
    assert.deepEqual(
      over['limit'],
      (await world.anyone.get('/api/v1/tasks?limit=1000000')).body['limit'],
    );
  });

  it('counts once under the key in its `_meta`', async () => {
    const { alice } = world;
    const { id } = mustResult(
      await send(world, toolCall(1, 'publish-task', task()), { by: alice }),
    );
    const given = { id, author: alice.account, body: 'Ready?' };
    const say = (n: number, key: string, over: Json = {}): Promise<RpcAnswer> => {
      const meta = { 'hub/idempotency-key': key };
      return send(world, toolCall(n, 'tasks-comment', { ...given, ...over }, meta), { by: alice });
    };
    const first = mustResult(await say(2, 'one'));
    assert.deepEqual(mustResult(await say(3, 'one')), first);
    mustRefuseResult(await say(4, 'one', { body: 'No.' }), 'idempotency-mismatch');
    const { comments } = mustOk(await world.anyone.get(`/api/v1/tasks/${String(id)}`));
    assert.equal(comments, 1);
    const pay = { owner: alice.account, to: world.bob.account, amount: '1000' };
    const meta = { 'hub/idempotency-key': 'pay' };
    for (const repeated of [false, true]) {
      const paid = await send(world, toolCall(5, 'wallet-pay', pay, meta), { by: alice });
      assert.equal(mustResult(paid)['repeated'], repeated);
    }
  });

  it('reads and moves what is the signer’s', async () => {
    const { alice, bob } = world;
    const published = mustResult(
      await send(world, toolCall(1, 'publish-task', task()), { by: alice }),
    );
    assert.deepEqual([published['state'], published['paymentState']], ['open', 'escrowed']);
    const claimed = mustResult(
      await send(world, toolCall(2, 'start-work', { id: published['id'], agentId: bob.account }), {
        by: bob,
      }),
    );
    const { claimToken } = claimed;
    const args = { id: published['id'], claimToken, result: 'it is done' };
    const done = mustResult(await send(world, toolCall(3, 'submit-solution', args), { by: bob }));
    assert.equal(done['outcome'], 'accepted');
    const mine = mustResult(await send(world, toolCall(4, 'wallet-me', {}), { by: alice }));
    assert.equal(mine['owner'], alice.account);
  });

  it('unsigned where the tool is not public is HTTP 401 with the whole refusal', async () => {
    for (const [name, args] of [
      ['publish-task', task()],
      ['wallet-me', {}],
      ['wallet-pay', { owner: 'not even an account' }],
    ] as const) {
      const answer = await send(world, toolCall('u', name, args));
      const refusal = mustFault(answer, 401, -32_060, 'u');
      assert.equal(refusal['code'], 'unsigned', 'it is asked before the arguments are looked at');
      assert.equal(refusal['requestId'], answer.headers.get('x-request-id'));
      assert.match(String(refusal['hint']), /\/errors\/unsigned$/);
      assert.equal(answer.headers.get('www-authenticate'), 'Signature');
      assert.match(answer.headers.get('accept-signature') ?? '', /^sig1=\("@method"/);
    }
  });

  it('is HTTP 401 with its reason when the signature fails', async () => {
    const body = toolCall(1, 'wallet-me', {});
    const signed = await world.alice.signed('POST', MCP, body);
    const other = JSON.stringify(toolCall(2, 'wallet-me', {}));
    const moved = await readRpc(
      await fetch(signed.url, { method: 'POST', headers: signed.headers, body: other }),
    );
    assert.equal(mustFault(moved, 401, -32_060, 2)['code'], 'digest-mismatch');
    const elsewhere = await world.alice.signed('POST', '/api/v1/tasks/claim', body);
    const replayedHere = await readRpc(
      await fetch(signed.url, {
        method: 'POST',
        headers: elsewhere.headers,
        body: JSON.stringify(body),
      }),
    );
    assert.equal(mustFault(replayedHere, 401, -32_060, 1)['code'], 'unknown-key');
  });

  it('twice with one signature is replayed; a refused one left its nonce spendable', async () => {
    const twice = async (args: Json): Promise<readonly number[]> => {
      const signed = await world.alice.signed('POST', MCP, toolCall(1, 'wallet-me', args));
      const text = await signed.clone().text();
      const once = async (): Promise<number> => {
        const { headers } = signed;
        const answer = await readRpc(
          await fetch(signed.url, { method: 'POST', headers, body: text }),
        );
        if (answer.status === 401) {
          assert.equal(mustFault(answer, 401, -32_060, 1)['code'], 'replayed');
        }
        return answer.status;
      };
      return [await once(), await once()];
    };
    assert.deepEqual(await twice({}), [200, 401]);
    assert.deepEqual(await twice({ strange: 1 }), [200, 200]);
  });

  it('is HTTP 401 wrong-owner when it acts for another’s account', async () => {
    const args = { owner: world.bob.account };
    const answer = await send(world, toolCall(1, 'wallet', args), { by: world.alice });
    const refusal = mustFault(answer, 401, -32_060, 1);
    assert.deepEqual([refusal['code'], refusal['field']], ['wrong-owner', 'path.owner']);
  });

  it('carries error, code and hint whole, and the field that is wrong, when it is refused', async () => {
    const { alice } = world;
    const cases: readonly (readonly [string, Json, string, string | undefined])[] = [
      ['tasks-get', { id: NOBODY }, 'not-found', undefined],
      ['tasks-get', { id: 'x' }, 'bad-path', 'path.id'],
      ['tasks-get', {}, 'missing-field', 'path.id'],
      ['list-tasks', { state: 'sideways' }, 'unknown-filter', 'query.state'],
      ['list-tasks', { nosuch: 1 }, 'bad-request', 'query.nosuch'],
      ['list-tasks', { limit: '1.5' }, 'bad-request', 'query.limit'],
      ['publish-task', task({ title: 7 }), 'bad-request', 'body.title'],
      ['publish-task', { title: 'x' }, 'missing-field', 'body.requester'],
      ['publish-task', task({ rewardAmount: '1.5' }), 'bad-amount', 'body.rewardAmount'],
      ['publish-task', task({ nosuch: 1 }), 'bad-request', 'body.nosuch'],
      [
        'publish-task',
        task({ rewardAmount: '900000000000' }),
        'insufficient-funds',
        'body.rewardAmount',
      ],
    ];
    for (const [name, args, code, field] of cases) {
      const answer = await send(world, toolCall(1, name, args), { by: alice });
      const refusal = mustRefuseResult(answer, code);
      assert.equal(refusal['field'], field, `${name} ${JSON.stringify(args)}`);
    }
  });

  it('is refused in the words of the route', async () => {
    const { headers: _, body: http } = await world.anyone.get('/api/v1/tasks?state=sideways');
    const mcp = mustRefuseResult(
      await send(world, toolCall(1, 'list-tasks', { state: 'sideways' })),
      'unknown-filter',
    );
    assert.deepEqual({ ...mcp, requestId: '' }, { ...http, requestId: '' });
  });

  it('is an error of the protocol when its shape is not of it, never one of the operation', async () => {
    const name = 'list-tasks';
    for (const params of [
      {},
      { name: 7 },
      { name: 'no-such-tool' },
      { name: 'constructor' },
      { name: '__proto__' },
      { name: 'tasks.nothing' },
      { name, arguments: [] },
      { name, arguments: 'x' },
      { name, _meta: 1 },
      { name, _meta: { progressToken: {} } },
      { name, _meta: { 'x402/payment': 'base64' } },
    ]) {
      const answer = await send(world, request('p', 'tools/call', params));
      mustFault(answer, 200, -32_602, 'p');
    }
    mustResult(await send(world, request(1, 'tools/call', { name })));
  });

  it('refuses names that mean something to JavaScript by those names', async () => {
    const call = JSON.stringify(toolCall(1, 'list-tasks', { limit: 1 }));
    mustFault(await send(world, call.replace('limit', '__proto__')), 400, -32_700, null);
    for (const name of ['constructor', 'toString']) {
      const answer = await send(world, toolCall(1, 'list-tasks', { [name]: 1 }));
      assert.equal(mustRefuseResult(answer, 'bad-request')['field'], `query.${name}`);
    }
  });

  it('is made once under an idempotencyKey, over whichever door it is repeated', async () => {
    const { alice } = world;
    const body = task({ idempotencyKey: 'both-doors' });
    const first = mustOk(await alice.post('/api/v1/tasks', body));
    const again = mustResult(await send(world, toolCall(1, 'publish-task', body), { by: alice }));
    assert.deepEqual([first['repeated'], again['repeated']], [false, true]);
    assert.equal(again['id'], first['id']);
    const other = { ...body, title: 'Do another thing' };
    const answer = await send(world, toolCall(1, 'publish-task', other), { by: alice });
    mustRefuseResult(answer, 'idempotency-mismatch');
  });

  it('is the same with an empty optional body as without', async () => {
    const idle = mustResult(await send(world, toolCall(1, 'claim-task', {}), { by: world.bob }));
    assert.ok('work' in idle);
  });
});
