import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import { compat, HELLO, moneyOf, mustRefuseCompat, type Body } from './_desk.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** 20 tokens of prompt at 2 and as many of answer as are said at 10. */
const CHARGED_OF_THREE = 70n;

hubsOnBothDatabases('a budget of an API key', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let file: UpstreamFile;
  before(async () => {
    upstream = await startUpstream();
    const models = [MODEL, { ...MODEL, id: 'acme/other' }];
    file = upstreamFile([localProvider(upstream, { models })], [upstream]);
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
  });
  after(async () => {
    await upstream.close();
    file.remove();
  });
  beforeEach(() => upstream.play(() => answerOf(3)));
  const path = (): string => `/api/v1/wallet/${world.alice.account}/api-keys`;
  const mint = async (policy: Body): Promise<string> =>
    String(mustOk(await world.alice.post(path(), { policy }))['key']);
  const ask = (key: string, more: Body = {}) => {
    const body = { model: MODEL.id, messages: HELLO, max_tokens: 10, ...more };
    return compat(world, '/v1/chat/completions', key, body);
  };

  it('is in the answer and the list, and takes no member that it could not keep', async () => {
    const policy = { perCall: '500', perDay: '2000', models: [MODEL.id] };
    const minted = mustOk(await world.alice.post(path(), { label: 'agent', policy }));
    assert.deepEqual(minted['policy'], policy);
    const { keys } = mustOk(await world.alice.get(path()));
    const [kept] = keys as readonly Body[];
    assert.deepEqual([kept?.['id'], kept?.['policy']], [minted['id'], policy]);
    const strange = await world.alice.post(path(), { policy: { approveAbove: '5' } });
    mustRefuse(strange, 400, 'bad-request');
  });

  it('refuses a call that may take more, by the limit that has least left', async () => {
    const key = await mint({ perCall: '200', perDay: '250' });
    const before = await moneyOf(world.alice);
    const dear = mustRefuseCompat(await ask(key, { max_tokens: 100 }), 400, 'policy-limit');
    assert.match(String(dear['message']), /leaves 200 of 200 per call/);
    assert.deepEqual(await moneyOf(world.alice), before);
    for (let n = 0; n < 2; n += 1) mustOk(await ask(key));
    // Two calls used 140 of the day; what they did not use of their holds is back.
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 2n * CHARGED_OF_THREE);
    const over = mustRefuseCompat(await ask(key), 400, 'policy-limit');
    assert.match(String(over['message']), /leaves 110 of 250 per day/);
    world.hub.clock.advance(86_400);
    mustOk(await ask(key));
  });

  it('counts every form and vector against one budget, and names the models it asks', async () => {
    const key = await mint({ perDay: '150', models: [MODEL.id] });
    mustOk(
      await compat(world, '/v1/responses', key, {
        model: MODEL.id,
        input: 'Say three words.',
        max_output_tokens: 8,
      }),
    );
    const message = { model: MODEL.id, messages: HELLO, max_tokens: 10 };
    const over = await compat(world, '/v1/messages', key, message);
    assert.equal(at(over.body, 'error', 'code'), 'policy-limit', over.text);
    mustRefuseCompat(await ask(key, { model: 'acme/other' }), 401, 'policy-forbids');
  });

  it('lets calls at once pass together only as far as it has room', async () => {
    const key = await mint({ perHour: '300' });
    let release: (value?: unknown) => void = () => undefined;
    const wait = new Promise((resolve) => (release = resolve));
    upstream.play(() => [{ wait }, ...answerOf(3)]);
    const before = await moneyOf(world.alice);
    const all = Array.from({ length: 8 }, () => ask(key));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    release();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    const bought = statuses.filter((status) => status === 200).length;
    assert.ok(bought >= 1 && bought <= 2, statuses.join());
    const paid = before.spendable - (await moneyOf(world.alice)).spendable;
    assert.equal(paid, BigInt(bought) * CHARGED_OF_THREE);
  });

  it('gives back what a failed call held, and ends when it expires', async () => {
    const expiresAt = new Date(world.hub.clock.now() + 60_000).toISOString();
    const key = await mint({ perMonth: '140', expiresAt });
    upstream.play(() => ({ status: 500, body: { error: { message: 'down' } } }));
    for (let n = 0; n < 3; n += 1) mustRefuseCompat(await ask(key), 503, 'model-failed');
    upstream.play(() => answerOf(3));
    mustOk(await ask(key));
    mustRefuseCompat(await ask(key), 400, 'policy-limit');
    world.hub.clock.advance(61);
    mustRefuseCompat(await ask(key), 401, 'api-key');
  });

  it('is changed after minting, at once in every process, and keeps what was used', async () => {
    const { alice } = world;
    const twin = await open({ env: file.env });
    const minted = mustOk(await alice.post(path(), { policy: { perDay: '150' } }));
    const [key, id] = [String(minted['key']), String(minted['id'])];
    const set = (body: Body) =>
      alice.post(`/api/v1/wallet/${alice.account}/keys/${id}/policy`, body);
    mustOk(await ask(key));
    mustRefuseCompat(await ask(key), 400, 'policy-limit');
    const raised = mustOk(await set({ perDay: '300', models: [MODEL.id] }));
    assert.deepEqual(at(raised, 'spending', 'limits', 0, 'used'), '70');
    mustOk(await ask(key));
    const asked = { model: MODEL.id, messages: HELLO, max_tokens: 10 };
    mustOk(await set({ perDay: '140' }));
    mustRefuseCompat(await compat(twin, '/v1/chat/completions', key, asked), 400, 'policy-limit');
    mustOk(await set({ lifted: true }));
    mustOk(await compat(twin, '/v1/chat/completions', key, asked));
    const { keys } = mustOk(await alice.get(path()));
    assert.equal(
      (keys as readonly Body[]).find((each) => each['id'] === id)?.['policy'],
      undefined,
    );
    mustRefuse(await set({ operations: ['wallet.pay'] }), 400, 'bad-request');
    const bobs = `/api/v1/wallet/${world.bob.account}/keys/${id}/policy`;
    mustRefuse(await world.bob.post(bobs, { perDay: '1' }), 404, 'not-found');
    const strange = `/api/v1/wallet/${alice.account}/keys/${'1'.repeat(40)}/policy`;
    mustRefuse(await alice.post(strange, { perDay: '1' }), 400, 'bad-account');
  });

  it('counts against the ceiling that the account set for its day', async () => {
    const { bob } = world;
    await world.fund(bob, '1000000');
    const set = (body: Body) => bob.post(`/api/v1/wallet/${bob.account}/keys/models/policy`, body);
    const own = `/api/v1/wallet/${bob.account}/api-keys`;
    const key = String(mustOk(await bob.post(own, {}))['key']);
    mustOk(await set({ perDay: '150' }));
    assert.equal(mustOk(await bob.get(own))['modelsPerDay'], '150');
    mustOk(await ask(key));
    mustRefuseCompat(await ask(key), 400, 'model-ceiling');
    mustOk(await set({ perDay: '30000000' }));
    mustOk(await ask(key));
    mustRefuse(await set({ perDay: '500000001' }), 400, 'bad-request');
    mustRefuse(await set({ perHour: '5' }), 400, 'bad-request');
    mustOk(await set({ lifted: true }));
    assert.equal(mustOk(await bob.get(own))['modelsPerDay'], undefined);
  });
});
