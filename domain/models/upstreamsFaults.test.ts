import assert from 'node:assert/strict';
import { readUpstreams } from './upstreams.ts';

type Json = Readonly<Record<string, unknown>>;
const MODEL = { id: 'a/b', input: '2', output: '10', contextLength: 1_000, maxAnswerTokens: 100 };
const PROVIDER = { name: 'acme', baseUrl: 'https://api.acme.example/v1', models: [MODEL] };

const read = (...providers: readonly Json[]) =>
  readUpstreams({ providers }, (name) => (name === 'ACME_KEY' ? 'secret' : ''));
const byProvider = (more: Json) => () => read({ ...PROVIDER, ...more });
const byModel = (more: Json) => byProvider({ models: [{ ...MODEL, ...more }] });
const providers = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, n) => ({ ...PROVIDER, name: `p${n}` }));
const models = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, n) => ({ ...MODEL, id: `m${n}` }));

const PROVIDER_FIELDS =
  'name, baseUrl, keyFrom, backend, marginPercent, firstTokenMs, idleMs, totalMs, models';
const MODEL_FIELDS =
  'id, upstreamId, name, description, input, cachedInput, output, imageTokens, fileTokens, dimensions, shortens, marginPercent, contextLength, maxAnswerTokens, counter, thinks, rewrites, parameters, lengthField, since';
const ID = '^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,159}$';
const NAME = '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$';
const LINE = '^[^\\p{C}]{1,200}$';
const ADDRESS = 'providers[0].baseUrl is an address like https://api.example/v1';
const ONE = 'providers[0].models[0]';
const PARAMETERS = `${ONE}.parameters is a list of at most 64 parameters that the model takes, such as temperature or top_k`;

describe('the file of providers is refused with a sentence', () => {
  const faults: readonly (readonly [says: string, ...wrong: (() => unknown)[]])[] = [
    ['the file is an object', () => readUpstreams(null, () => undefined)],
    [
      'the file.models is unknown; known: providers',
      () => readUpstreams({ providers: [], models: [] }, () => undefined),
    ],
    [
      'providers is a list of 1 to 50',
      () => readUpstreams({}, () => undefined),
      () => read(),
      () => read(...providers(51)),
    ],
    [
      'providers[0].models is a list of 1 to 200',
      byProvider({ models: models(201) }),
      byProvider({ models: {} }),
    ],
    [`providers[0].url is unknown; known: ${PROVIDER_FIELDS}`, byProvider({ url: 'x' })],
    [`${ONE}.price is unknown; known: ${MODEL_FIELDS}`, byModel({ price: '1' })],
    [
      `${ONE}.output does not go with dimensions: a vector has no tokens`,
      byModel({ dimensions: 8 }),
    ],
    [
      `${ONE}.dimensions is at most 4096`,
      byModel({ output: undefined, maxAnswerTokens: undefined, dimensions: 5_000 }),
    ],
    [
      `${ONE}.dimensions is a whole number above 0`,
      byModel({ output: undefined, maxAnswerTokens: undefined, shortens: true }),
    ],
    [`${ONE}.cachedInput is above input, so no hold would cover it`, byModel({ cachedInput: '3' })],
    [`${ONE}.imageTokens is a whole number above 0`, byModel({ imageTokens: 0 })],
    [`${ONE} is an object`, byProvider({ models: ['m'] })],
    [
      `providers[0].name is a text of the form ${NAME}`,
      byProvider({ name: undefined }),
      byProvider({ name: ' acme' }),
    ],
    [`${ONE}.id is a text of the form ${ID}`, byModel({ id: 5 })],
    [`${ONE}.upstreamId is a text of the form ${LINE}`, byModel({ upstreamId: '' })],
    [`${ONE}.name is a text of the form ${LINE}`, byModel({ name: 'a\nb' })],
    [`${ONE}.description is a text of the form ${LINE}`, byModel({ description: null })],
    [
      'providers[0].keyFrom is a text of the form ^[A-Z][A-Z0-9_]{0,99}$',
      byProvider({ keyFrom: 'acme' }),
    ],
    [
      'providers[0].keyFrom names EMPTY_KEY, which is not set',
      byProvider({ keyFrom: 'EMPTY_KEY' }),
    ],
    [
      ADDRESS,
      byProvider({ baseUrl: 'api.acme.example' }),
      byProvider({ baseUrl: ['https://api.acme.example'] }),
      byProvider({ baseUrl: 'ftp://api.acme.example' }),
      byProvider({ baseUrl: 'httpsx://api.acme.example' }),
      byProvider({ baseUrl: 'xhttp://api.acme.example' }),
      byProvider({ baseUrl: 'https://me@api.acme.example' }),
      byProvider({ baseUrl: 'https://api.acme.example/?a=b' }),
      byProvider({ baseUrl: 'https://api.acme.example/#a' }),
    ],
    ['providers[0].backend is upstream or local', byProvider({ backend: 'mock' })],
    ['providers[0].firstTokenMs is a whole number above 0', byProvider({ firstTokenMs: 0 })],
    ['providers[0].idleMs is a whole number above 0', byProvider({ idleMs: '5' })],
    ['providers[0].totalMs is a whole number above 0', byProvider({ totalMs: 1.5 })],
    [
      'providers[0].marginPercent is a number of percent from 0 to 1000',
      byProvider({ marginPercent: 1_001 }),
      byProvider({ marginPercent: '5' }),
    ],
    [
      `${ONE}.marginPercent is a number of percent from 0 to 1000`,
      byModel({ marginPercent: -0.1 }),
    ],
    [`${ONE}.input is USD per million tokens as a text such as "0.15"`, byModel({ input: 2 })],
    [`${ONE}.output is USD per million tokens as a text such as "0.15"`, byModel({ output: 'x' })],
    [
      `${ONE}.contextLength is a whole number above 0`,
      byModel({ contextLength: 0 }),
      byModel({ contextLength: 2 ** 31 + 1 }),
    ],
    [`${ONE}.maxAnswerTokens is a whole number above 0`, byModel({ maxAnswerTokens: undefined })],
    [`${ONE}.since is a whole number above 0`, byModel({ since: -1 })],
    [`${ONE}.counter is one of o200k_base, cl100k_base, hub-words`, byModel({ counter: 'gpt2' })],
    [
      `${ONE}.lengthField is one of max_tokens, max_completion_tokens`,
      byModel({ lengthField: 'n' }),
    ],
    [`${ONE}.thinks is true or false`, byModel({ thinks: 'yes' })],
    [`${ONE}.rewrites is true or false`, byModel({ rewrites: 1 })],
    [
      PARAMETERS,
      byModel({ parameters: 'top_k' }),
      byModel({ parameters: ['top_k', 'stream'] }),
      byModel({ parameters: Array.from({ length: 65 }, (_, n) => `p${n}`) }),
    ],
    ['the model a/b stands twice under one provider', byProvider({ models: [MODEL, MODEL] })],
  ];
  for (const [says, ...wrong] of faults) {
    it(says, () => {
      for (const each of wrong) assert.throws(each, { name: 'BadUpstreams', message: says });
    });
  }
});

describe('a file of providers', () => {
  const offerOf = (more: Json, provider: Json = {}) =>
    read({ ...PROVIDER, ...provider, models: [{ ...MODEL, ...more }] })[0];

  it('is taken at its bounds: 50 providers, 200 models, 64 parameters', () => {
    assert.equal(read(...providers(50))[0]?.providers.length, 50);
    assert.equal(read({ ...PROVIDER, models: models(200) }).length, 200);
    const parameters = Array.from({ length: 64 }, (_, n) => `p${n}`);
    assert.deepEqual(offerOf({ parameters })?.parameters, parameters);
    assert.equal(offerOf({ contextLength: 2 ** 31 })?.contextLength, 2 ** 31);
    assert.equal(offerOf({}, { totalMs: 600_001 })?.providers[0]?.totalMs, 600_000);
    assert.deepEqual(offerOf({}, { marginPercent: 1_000 })?.providers[0]?.price, {
      input: 22_000_000n,
      output: 110_000_000n,
    });
  });

  it('posts below its address, without the slashes at the end', () => {
    for (const address of ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1//']) {
      const [served] = offerOf({}, { baseUrl: address })?.providers ?? [];
      assert.equal(served?.url, 'http://127.0.0.1:8000/v1/chat/completions');
    }
  });

  it('gives models in the order of their ids', () => {
    const ids = ['c', 'a', 'b'].map((id) => ({ ...MODEL, id }));
    assert.deepEqual(
      read({ ...PROVIDER, models: ids }).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('gives a model what it states, and the usual where it states nothing', () => {
    const stated = {
      ...{ upstreamId: 'b-1', name: 'B', description: 'Answers.', counter: 'hub-words' },
      ...{ thinks: true, rewrites: true, lengthField: 'max_completion_tokens', since: 7 },
      parameters: ['top_k', 'seed', 'top_k'],
    };
    const provider = { keyFrom: 'ACME_KEY', backend: 'local', idleMs: 7, totalMs: 9 };
    const common = { id: 'a/b', contextLength: 1_000, maxAnswerTokens: 100 };
    const served = {
      name: 'acme',
      url: 'https://api.acme.example/v1/chat/completions',
      firstTokenMs: 30_000,
      price: { input: 2_000_000n, output: 10_000_000n },
    };
    assert.deepEqual(offerOf(stated, provider), {
      ...common,
      ...{ name: 'B', description: 'Answers.', backend: 'local', counter: 'hub-words' },
      ...{ thinks: true, rewrites: true, since: 7, parameters: ['top_k', 'seed'], reads: {} },
      providers: [
        {
          ...served,
          ...{ key: 'secret', idleMs: 7, totalMs: 9 },
          ...{ model: 'b-1', lengthField: 'max_completion_tokens' },
        },
      ],
    });
    assert.deepEqual(offerOf({}), {
      ...common,
      ...{ name: 'a/b', backend: 'upstream', counter: 'o200k_base' },
      ...{ thinks: false, rewrites: false, since: 0, parameters: offerOf({})?.parameters },
      reads: {},
      providers: [
        {
          ...served,
          ...{ idleMs: 30_000, totalMs: 300_000, model: 'a/b', lengthField: 'max_tokens' },
        },
      ],
    });
    assert.ok(offerOf({})?.parameters.includes('temperature'));
  });

  it('joins providers of one model to what all of them take', () => {
    const local = { ...PROVIDER, backend: 'local' };
    const rewriting = { ...MODEL, rewrites: true, parameters: ['seed', 'stop'] };
    const [offer] = read(
      { ...local, models: [{ ...MODEL, parameters: ['top_k', 'stop'] }] },
      { ...local, name: 'beside', models: [rewriting] },
    );
    assert.deepEqual(
      [offer?.backend, offer?.thinks, offer?.rewrites, offer?.parameters],
      ['local', false, true, ['stop']],
    );
    const [thinking] = read(
      { ...local, models: [{ ...MODEL, thinks: true }] },
      { ...local, name: 'beside' },
    );
    assert.deepEqual([thinking?.thinks, thinking?.rewrites], [true, false]);
  });
});
