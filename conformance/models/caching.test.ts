import assert from 'node:assert/strict';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, mintKey, mustAddUp, receiptsOf, type Body } from './_desk.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Step,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

/** 1,000 tokens of prompt at 2, of which 800 may come from the cache at 1, and 3 of answer at 10. */
const CACHES = { ...MODEL, cachedInput: '1' };
const FULL = 2_000n + 30n;
const cachedAnswer = (cached: number): readonly Step[] => [
  { say: 'one two three' },
  { finish: 'stop' },
  {
    usage: {
      prompt_tokens: 1_000,
      completion_tokens: 3,
      prompt_tokens_details: { cached_tokens: cached },
    },
  },
];
/** 5,000 letters, of which the first 4,096 are remembered, in more than 1,000 tokens. */
const beginning = (word: string): string => `${word} ${'a b '.repeat(1_240)}`;

hubsOnBothDatabases('prices of cached prompts', (open) => {
  let world: Fixture;
  let upstreams: readonly [Upstream, Upstream];
  let file: UpstreamFile;
  before(async () => {
    upstreams = [await startUpstream(), await startUpstream()];
    const [cheap, twin] = upstreams;
    file = upstreamFile(
      [
        localProvider(cheap, { models: [CACHES] }),
        localProvider(twin, { name: 'twin', models: [{ ...CACHES, input: '2.1' }] }),
      ],
      [cheap, twin],
    );
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
    await world.fund(world.bob, '10000000');
  });
  beforeEach(() => upstreams.forEach((each) => each.play(() => cachedAnswer(800))));
  after(async () => {
    await Promise.all(upstreams.map((each) => each.close()));
    file.remove();
  });
  const ask = (key: string, system: string, more: Body = {}) =>
    compat(world, '/v1/chat/completions', key, {
      model: MODEL.id,
      max_tokens: 10,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: 'And now?' },
      ],
      ...more,
    });
  const charged = (answer: { readonly body: unknown }): bigint => {
    mustAddUp(at(answer.body, 'receipt'));
    return BigInt(String(at(answer.body, 'receipt', 'charged')));
  };

  it('are in the catalogue, and are paid for what the account itself sent before', async () => {
    const models = mustOk(await world.anyone.get('/api/v1/models'))['models'] as readonly Body[];
    const offer = models.find(({ id }) => id === MODEL.id);
    assert.equal(at(offer, 'providers', 0, 'usdPerMillionTokens', 'cachedInput'), '1');
    const key = await mintKey(world.alice);
    const system = beginning('alpha');
    const first = await ask(key, system);
    assert.deepEqual(
      [charged(first), at(first.body, 'receipt', 'usage', 'cachedTokens')],
      [FULL, undefined],
    );
    const second = await ask(key, system);
    assert.equal(charged(second), 200n * 2n + 800n + 30n);
    assert.equal(at(second.body, 'usage', 'prompt_tokens_details', 'cached_tokens'), 800);
    assert.equal(at(await receiptsOf(world.alice), 0, 'usage', 'cachedTokens'), 800);
    const forms: readonly (readonly [string, Body, readonly string[]])[] = [
      [
        '/v1/responses',
        { instructions: system, input: 'And now?', max_output_tokens: 10 },
        ['usage', 'input_tokens_details', 'cached_tokens'],
      ],
      [
        '/v1/messages',
        { system, messages: [{ role: 'user', content: 'And now?' }], max_tokens: 10 },
        ['usage', 'cache_read_input_tokens'],
      ],
    ];
    for (const [path, body, place] of forms) {
      const answer = await compat(world, path, key, { model: MODEL.id, ...body });
      assert.equal(at(mustOk(answer), ...place), 800, path);
    }
  });

  it('are not paid for what another account sent, whose receipt says nothing of it', async () => {
    const [hers, his] = [await mintKey(world.alice), await mintKey(world.bob)];
    const system = beginning('secret');
    assert.equal(charged(await ask(hers, system)), FULL);
    const probe = await ask(his, system);
    assert.equal(charged(probe), FULL);
    assert.equal(at(probe.body, 'usage', 'prompt_tokens_details'), undefined);
    assert.equal(charged(await ask(his, system)), 200n * 2n + 800n + 30n);
    world.hub.clock.advance(601);
    assert.equal(charged(await ask(hers, system)), FULL, 'after ten minutes it is a new prompt');
  });

  it('keep a conversation at the provider that has its beginning', async () => {
    const key = await mintKey(world.alice);
    const [cheap, twin] = upstreams;
    const system = beginning('session');
    cheap.play(() => ({ status: 500, body: {} }));
    assert.equal(at((await ask(key, system)).body, 'receipt', 'servedBy'), 'twin');
    cheap.play(() => cachedAnswer(0));
    const asked = [cheap.asked.length, twin.asked.length];
    const next = await ask(key, system, {
      messages: [{ role: 'system', content: `${system} more` }],
    });
    assert.equal(at(next.body, 'receipt', 'servedBy'), 'twin');
    assert.deepEqual([cheap.asked.length, twin.asked.length], [asked[0], (asked[1] ?? 0) + 1]);
    const wished = await ask(key, system, { provider: { order: ['acme'] } });
    assert.equal(at(wished.body, 'receipt', 'servedBy'), 'acme');
    assert.equal(at((await ask(key, beginning('other'))).body, 'receipt', 'servedBy'), 'acme');
    const models = mustOk(await world.anyone.get('/api/v1/models?q=small'))['models'];
    const measured = at(models, 0, 'providers', 1, 'measured') as Body;
    assert.ok(Number(measured['asked']) >= 2 && Number(measured['answered']) === 1);
  });
});
