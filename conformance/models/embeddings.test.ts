import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { packVector } from '../../domain/models/embedding.ts';
import type { Fixture } from '../harness/fixture.ts';
import { hubsOnBothDatabases } from '../harness/hubsOnBothDatabases.ts';
import { at, mustOk, mustRefuse } from '../harness/must.ts';
import {
  CHAT,
  compat,
  HELLO,
  mintKey,
  moneyOf,
  mustAddUp,
  mustRefuseCompat,
  receiptsOf,
  type Body,
} from './_desk.ts';
import {
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Play,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const DOOR = '/v1/embeddings';
const VECTORS = {
  id: 'acme/embed',
  upstreamId: 'embed-1',
  input: '2',
  dimensions: 4,
  shortens: true,
  contextLength: 100,
};
const ONE = [1, 0.5, -0.25, 0.125];

/** An answer of the provider: for each text the same vector, times its place and one. */
function vectorsFor(body: Body, form: 'digits' | 'base64', tokens = 7): Play {
  const inputs = body['input'] as readonly unknown[];
  const dimensions = Number(body['dimensions'] ?? 4);
  const data = inputs.map((_, index) => {
    const vector = ONE.slice(0, dimensions).map((value) => value * (index + 1));
    const embedding = form === 'digits' ? vector : packVector(Float32Array.from(vector));
    return { object: 'embedding', index, embedding };
  });
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { status: 200, body: { object: 'list', data: data.reverse(), model: 'embed-1', usage } };
}

hubsOnBothDatabases('models.embeddings', (open) => {
  let world: Fixture;
  let upstream: Upstream;
  let dear: Upstream;
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    [upstream, dear] = [await startUpstream(), await startUpstream()];
    const models = [MODEL, VECTORS];
    file = upstreamFile(
      [
        localProvider(upstream, { models }),
        localProvider(dear, { name: 'dear', models: [{ ...VECTORS, input: '4' }] }),
      ],
      [upstream, dear],
    );
    world = await open({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  beforeEach(() => {
    upstream.play((body) => vectorsFor(body, 'base64'));
    dear.play((body) => vectorsFor(body, 'digits'));
  });
  after(async () => {
    await upstream.close();
    await dear.close();
    file.remove();
  });
  const ask = (more: Body = {}, headers: Readonly<Record<string, string>> = {}) =>
    compat(world, DOOR, key, { model: VECTORS.id, input: ['one two', 'three'], ...more }, headers);

  it('gives the official client the vectors of a batch, as digits and in base64', async () => {
    const client = new OpenAI({ apiKey: key, baseURL: `${world.hub.url}/v1`, maxRetries: 0 });
    const asked = { model: VECTORS.id, input: ['one', 'two'] };
    const before = await moneyOf(world.alice);
    for (const encoding_format of [undefined, 'float', 'base64'] as const) {
      const format = encoding_format === undefined ? {} : { encoding_format };
      const { data, usage } = await client.embeddings.create({ ...asked, ...format });
      const expected = [ONE, ONE.map((value) => value * 2)];
      const packed = expected.map((vector) => packVector(Float32Array.from(vector)));
      assert.deepEqual(
        data.map(({ embedding }) => embedding),
        encoding_format === 'base64' ? packed : expected,
      );
      assert.deepEqual(usage, { prompt_tokens: 7, total_tokens: 7 });
    }
    // Two words are held for at 4 each, and no more is charged, whatever the provider says.
    assert.equal(before.spendable - (await moneyOf(world.alice)).spendable, 3n * 8n);
    const { body } = upstream.asked.at(-1) ?? {};
    assert.deepEqual(body, { model: 'embed-1', input: ['one', 'two'], encoding_format: 'base64' });
  });

  it('holds the counted tokens at the dearest price and charges what was used', async () => {
    const answer = mustOk(await ask());
    const receipt = answer['receipt'] as Body;
    // "one two" and "three" are three tokens; the provider says seven, so the hold is the most.
    assert.deepEqual(
      [receipt['held'], receipt['charged'], receipt['maxTokens'], receipt['servedBy']],
      ['12', '12', 1, 'acme'],
    );
    mustAddUp(receipt);
    assert.deepEqual((await receiptsOf(world.alice))[0], receipt);
    upstream.play((body) => vectorsFor(body, 'base64', 2));
    assert.equal(at(mustOk(await ask()), 'receipt', 'charged'), '4');
  });

  it('takes shorter vectors, ids of tokens, and a text alone', async () => {
    const short = mustOk(await ask({ dimensions: 2, input: 'one' }));
    assert.deepEqual(at(short, 'data', 0, 'embedding'), [1, 0.5]);
    assert.equal(upstream.asked.at(-1)?.body['dimensions'], 2);
    for (const input of [
      [5, 6, 7],
      [[5, 6], [7]],
    ]) {
      const answer = mustOk(await ask({ input }));
      assert.equal(at(answer, 'receipt', 'held'), '12', 'three tokens at 4 each');
    }
    assert.deepEqual(upstream.asked.at(-1)?.body['input'], [[5, 6], [7]]);
  });

  it('is once for an Idempotency-Key; the repeat has the receipt and no vectors', async () => {
    const once = { 'idempotency-key': 'embed-1' };
    const [first, again] = [mustOk(await ask({}, once)), mustOk(await ask({}, once))];
    assert.deepEqual([again['data'], at(again, 'receipt', 'repeated')], [[], true]);
    assert.equal(at(again, 'receipt', 'id'), at(first, 'receipt', 'id'));
    mustRefuseCompat(await ask({ input: 'two' }, once), 400, 'idempotency-mismatch');
  });

  it('refuses what no vector can be made of, by the one thing that is wrong', async () => {
    const before = await moneyOf(world.alice);
    const long = 'word '.repeat(101);
    const refused: readonly (readonly [Body, string, string | null])[] = [
      [{ input: '' }, 'bad-request', 'input'],
      [{ input: ['one', ' '] }, 'bad-request', 'input[1]'],
      [{ input: ['one', 5] }, 'bad-request', 'input'],
      [{ input: [5, 'one'] }, 'bad-request', 'input'],
      [{ input: [[]] }, 'bad-request', 'input[0]'],
      [{ input: long }, 'too-many-tokens', 'input[0]'],
      [{ dimensions: 5 }, 'bad-request', 'dimensions'],
      [{ model: MODEL.id }, 'bad-request', 'model'],
      [{ model: 'no/such' }, 'model-unknown', 'model'],
      [{ input_type: 'query' }, 'unsupported-parameter', 'input_type'],
      [{ input: Array.from({ length: 2049 }, () => 'a') }, 'bad-request', 'input'],
    ];
    for (const [body, code, param] of refused) {
      const answer = await ask(body);
      const error = at(answer.body, 'error') as Body;
      assert.deepEqual(
        [answer.status, error['code'], error['param']],
        [400, code, param],
        answer.text,
      );
    }
    const chatted = await compat(world, '/v1/chat/completions', key, {
      model: VECTORS.id,
      messages: HELLO,
    });
    assert.match(String(mustRefuseCompat(chatted, 400, 'bad-request')['message']), /makes vectors/);
    assert.deepEqual(await moneyOf(world.alice), before);
  });

  it('is models.chat with input for a signer', async () => {
    const asked = { model: VECTORS.id, input: ['one'], idempotencyKey: 'embed-native' };
    const answer = mustOk(await world.alice.post(CHAT, asked));
    assert.deepEqual(answer['embeddings'], [packVector(Float32Array.from(ONE))]);
    const again = mustOk(await world.alice.post(CHAT, asked));
    assert.deepEqual([again['embeddings'], again['repeated']], [undefined, true]);
    const both = { ...asked, messages: HELLO, idempotencyKey: 'other' };
    mustRefuse(await world.alice.post(CHAT, both), 400, 'bad-request');
    mustRefuse(await world.alice.post(CHAT, { model: VECTORS.id }), 400, 'missing-field');
    const stream = { model: VECTORS.id, input: ['one'], stream: true };
    mustRefuse(await world.alice.post(CHAT, stream), 400, 'bad-request');
    const quote = await world.anyone.post(CHAT, { model: VECTORS.id, input: ['one'] });
    assert.equal(quote.status, 402, quote.text);
  });

  it('asks the next provider when one fails, or answers other vectors than were asked for', async () => {
    const wrong: readonly Play[] = [
      { status: 500, body: {} },
      { status: 200, body: { data: [] } },
      { status: 200, body: { data: [{ embedding: [1, 2] }, { embedding: [1, 2, 3, 4] }] } },
      {
        status: 200,
        body: {
          data: [
            { index: 0, embedding: ONE },
            { index: 0, embedding: ONE },
          ],
        },
      },
      { status: 200, body: { data: [{ embedding: [1, 2, 3, null] }, { embedding: ONE }] } },
    ];
    for (const play of wrong) {
      upstream.play(() => play);
      const answer = mustOk(await ask());
      assert.deepEqual(at(answer, 'data', 1, 'embedding'), [2, 1, -0.5, 0.25]);
      assert.equal(at(answer, 'receipt', 'servedBy'), 'dear', JSON.stringify(play));
    }
    dear.play(() => ({ status: 500, body: {} }));
    const before = await moneyOf(world.alice);
    mustRefuseCompat(await ask(), 503, 'model-failed');
    assert.deepEqual(await moneyOf(world.alice), before);
  });
});

hubsOnBothDatabases('a hub without providers of embeddings', (open) => {
  it('makes vectors of the words of a text, which say that they know no meaning', async () => {
    const world = await open();
    await world.fund(world.alice, '1000000');
    const key = await mintKey(world.alice);
    const { models } = mustOk(await world.anyone.get('/api/v1/models?q=hub/words'));
    const [words] = models as readonly Body[];
    assert.deepEqual(words?.['dimensions'], { most: 768, shortens: true });
    assert.match(String(words?.['description']), /knows no meaning/);
    const input = ['the plan costs nine', 'plans and their cost', 'rivers of Łódź', '!!!'];
    const client = new OpenAI({ apiKey: key, baseURL: `${world.hub.url}/v1` });
    const asked = { model: 'hub/words', input, dimensions: 256 };
    const { data } = await client.embeddings.create(asked);
    const [one = [], near = [], far = []] = data.map(({ embedding }) => embedding);
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0);
    assert.ok(dot(one, near) > dot(one, far) + 0.2, `${dot(one, near)} and ${dot(one, far)}`);
    assert.deepEqual((await client.embeddings.create(asked)).data, data, 'the same every time');
    const all = data.every(({ embedding }) => Math.abs(dot(embedding, embedding) - 1) < 1e-5);
    assert.ok(all, 'each has length 1');
    const many = { model: 'hub/words', input: Array.from({ length: 86 }, () => 'a') };
    const refused = await compat(world, DOOR, key, many);
    assert.match(String(mustRefuseCompat(refused, 400, 'bad-request')['message']), /room for 85/);
    mustOk(await compat(world, DOOR, key, { ...many, encoding_format: 'base64' }));
  });
});
