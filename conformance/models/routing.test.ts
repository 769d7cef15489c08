import assert from 'node:assert/strict';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { compat, HELLO, mintKey, mustRefuseCompat, receiptsOf, type Body } from './_desk.ts';
import { dataOf } from './_forms.ts';
import {
  answerOf,
  localProvider,
  MODEL,
  startUpstream,
  upstreamFile,
  type Upstream,
  type UpstreamFile,
} from './_upstream.ts';

const OTHER = { ...MODEL, id: 'acme/other', upstreamId: 'other-1', input: '4', output: '20' };
const FORMS: readonly (readonly [path: string, body: Body])[] = [
  ['/v1/chat/completions', { messages: HELLO, max_tokens: 10 }],
  ['/v1/responses', { input: 'Say three words.', max_output_tokens: 10 }],
  ['/v1/messages', { messages: HELLO, max_tokens: 10 }],
];

const GOOGLE = `/v1beta/models/${encodeURIComponent(MODEL.id)}`;
/** The member of each form that names the model, in the whole answer and in the events. */
const NAMING = [
  ...FORMS.map(([path, body]) => ({
    path,
    body: { model: MODEL.id, ...body } as Body,
    stream: { path, more: { stream: true } as Body },
    named: ['model'],
    inEvents: { '/v1/responses': ['response', 'model'], '/v1/messages': ['message', 'model'] }[
      path
    ] ?? ['model'],
  })),
  {
    path: `${GOOGLE}:generateContent`,
    body: { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 10 } },
    stream: { path: `${GOOGLE}:streamGenerateContent?alt=sse`, more: {} },
    named: ['modelVersion'],
    inEvents: ['modelVersion'],
  },
];

describe('models and providers that a caller wishes for', () => {
  let world: Fixture;
  let [cheap, dear]: Upstream[] = [];
  let file: UpstreamFile;
  let key = '';
  before(async () => {
    [cheap, dear] = [await startUpstream(), await startUpstream()];
    const dearOnes = [{ ...MODEL, upstreamId: 'small-dear', input: '3', output: '15' }, OTHER];
    file = upstreamFile(
      [localProvider(cheap), localProvider(dear, { name: 'dear', models: dearOnes })],
      [cheap, dear],
    );
    world = await openFixture({ env: file.env });
    await world.fund(world.alice, '10000000');
    key = await mintKey(world.alice);
  });
  after(async () => {
    await world.close();
    await cheap?.close();
    await dear?.close();
    file.remove();
  });
  const ask = (more: Body, path = FORMS[0]?.[0] ?? '', body: Body = FORMS[0]?.[1] ?? {}) =>
    compat(world, path, key, { model: MODEL.id, ...body, ...more });
  const used = async (): Promise<unknown[]> => {
    const [receipt] = await receiptsOf(world.alice);
    return [receipt?.['servedBy'], receipt?.['servedModel'], receipt?.['charged']];
  };

  it('ask the providers in the wished order, only those, and none above a price', async () => {
    for (const [path, body] of FORMS) {
      mustOk(await ask({}, path, body));
      assert.deepEqual(await used(), ['acme', undefined, '70']);
      mustOk(await ask({ provider: { order: ['dear'] } }, path, body));
      assert.deepEqual(await used(), ['dear', undefined, '105'], path);
      mustOk(await ask({ provider: { only: ['dear'], order: ['acme'] } }, path, body));
      assert.deepEqual(await used(), ['dear', undefined, '105']);
    }
    const held = async (provider: Body): Promise<unknown> =>
      at(mustOk(await ask({ provider })), 'receipt', 'held');
    const [most, least] = [await held({}), await held({ maxPrice: { input: '2', output: '10' } })];
    assert.ok(Number(most) > Number(least), 'what cannot be asked is not held for');
    const none = await ask({ provider: { maxPrice: { output: '9.99' } } });
    const error = mustRefuseCompat(none, 400, 'bad-request');
    assert.deepEqual([error['param'], error['allowed']], ['provider', ['acme', 'dear']]);
  });

  it('fall back to another model before the first token, which answer and receipt name', async () => {
    cheap?.play(() => ({ status: 500, body: {} }));
    dear?.play(({ model }) => (model === 'other-1' ? answerOf(3) : { status: 500, body: {} }));
    const before = mustOk(await world.anyone.get('/api/v1/models?q=other'));
    const models = ['acme/other'];
    const charged = ['dear', 'acme/other', '140'];
    for (const { path, body, stream, named, inEvents } of NAMING) {
      const answer = mustOk(await compat(world, path, key, { ...body, models }));
      assert.equal(at(answer, ...named), 'acme/other', path);
      assert.equal(at(answer, 'receipt', 'servedModel'), 'acme/other', path);
      assert.deepEqual(await used(), charged, path);
      const asked = { ...body, models, ...stream.more };
      const { text } = await compat(world, stream.path, key, asked);
      const events = dataOf(text.replace('data: [DONE]\n\n', ''));
      const names = events.map((event) => at(event, ...inEvents)).filter(Boolean);
      assert.deepEqual([...new Set(names)], ['acme/other'], `${path} ${text}`);
      assert.ok(text.includes('"servedModel":"acme/other"'), path);
      assert.deepEqual(await used(), charged, path);
    }
    world.hub.clock.advance(10);
    const after = mustOk(await world.anyone.get('/api/v1/models?q=other'));
    const calls = (body: Body): number => Number(at(body, 'models', 0, 'measured', 'calls'));
    const made = calls(after) - calls(before);
    assert.equal(made, 2 * NAMING.length, 'the model that answered is the one measured');
    cheap?.play(() => answerOf(3));
    dear?.play(() => answerOf(3));
  });

  it('refuse what no provider could follow, and keep to the policy of every model', async () => {
    const refused: readonly (readonly [Body, string, string])[] = [
      [{ models: ['no/such'] }, 'model-unknown', 'model'],
      [{ models: 'acme/other' }, 'bad-request', 'models'],
      [{ provider: { sort: 'price' } }, 'unsupported-parameter', 'provider.sort'],
      [{ provider: { only: 5 } }, 'bad-request', 'provider.only'],
      [{ provider: { maxPrice: { input: 1 } } }, 'bad-request', 'provider.maxPrice.input'],
      [{ provider: { maxPrice: { input: '-1' } } }, 'bad-request', 'provider.maxPrice.input'],
      [{ provider: { only: ['none'] } }, 'bad-request', 'provider'],
    ];
    for (const [more, code, param] of refused) {
      assert.equal(mustRefuseCompat(await ask(more), 400, code)['param'], param);
    }
    const policy = { models: [MODEL.id] };
    const path = `/api/v1/wallet/${world.alice.account}/api-keys`;
    const limited = String(mustOk(await world.alice.post(path, { policy }))['key']);
    const body = { model: MODEL.id, messages: HELLO, models: ['acme/other'] };
    mustRefuseCompat(
      await compat(world, '/v1/chat/completions', limited, body),
      401,
      'policy-forbids',
    );
  });
});
