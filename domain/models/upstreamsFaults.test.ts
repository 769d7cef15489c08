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

/** A member of the file, and values of it that are refused. */
type Faults = Readonly<Record<string, readonly unknown[]>>;
const TOP: Faults = {
  'the file': [null],
  'the file.models': [{ providers: [], models: [] }],
  providers: [{}, { providers: [] }, { providers: providers(51) }],
};
const OF_PROVIDER: Faults = {
  models: [models(201), {}],
  url: ['x'],
  name: [undefined, ' acme'],
  keyFrom: ['acme', 'EMPTY_KEY'],
  baseUrl: [
    'api.acme.example',
    ['https://api.acme.example'],
    'ftp://api.acme.example',
    'httpsx://api.acme.example',
    'xhttp://api.acme.example',
    'https://me@api.acme.example',
    'https://api.acme.example/?a=b',
    'https://api.acme.example/#a',
  ],
  backend: ['mock'],
  firstTokenMs: [0],
  idleMs: ['5'],
  totalMs: [1.5],
  marginPercent: [1_001, '5'],
};
const OF_MODEL: Faults = {
  price: ['1'],
  cachedInput: ['3'],
  imageTokens: [0],
  id: [5],
  upstreamId: [''],
  name: ['a\nb'],
  description: [null],
  marginPercent: [-0.1],
  input: [2],
  output: ['x'],
  contextLength: [0, 2 ** 31 + 1],
  maxAnswerTokens: [undefined],
  since: [-1],
  counter: ['gpt2'],
  lengthField: ['n'],
  thinks: ['yes'],
  rewrites: [1],
  parameters: ['top_k', ['top_k', 'stream'], Array.from({ length: 65 }, (_, n) => `p${n}`)],
};
/** Members that do not go together, by the one that is named. */
const TOGETHER: readonly (readonly [member: string, model: Json])[] = [
  ['output', { dimensions: 8 }],
  ['dimensions', { output: undefined, maxAnswerTokens: undefined, dimensions: 5_000 }],
  ['dimensions', { output: undefined, maxAnswerTokens: undefined, shortens: true }],
];

describe('the file of providers is refused by the member that is wrong', () => {
  const mustName = (place: string, wrong: () => unknown): void =>
    assert.throws(wrong, ({ name, message }: Error) => {
      assert.equal(name, 'BadUpstreams');
      assert.ok(message.startsWith(`${place} `), message);
      // A reason follows, in words and without a value of the program's own.
      assert.match(message.slice(place.length), /^( [^ ]+){3,}$/);
      assert.doesNotMatch(message, /undefined|null|\[object/);
      return true;
    });
  const each = (
    faults: Faults,
    prefix: string,
    wrong: (name: string, value: unknown) => unknown,
  ) => {
    for (const [name, values] of Object.entries(faults)) {
      it(`${prefix}${name}`, () => {
        for (const value of values) mustName(`${prefix}${name}`, () => wrong(name, value));
      });
    }
  };

  each(TOP, '', (_, file) => readUpstreams(file, () => undefined));
  each(OF_PROVIDER, 'providers[0].', (name, value) => read({ ...PROVIDER, [name]: value }));
  const one = 'providers[0].models[0]';
  each(OF_MODEL, `${one}.`, (name, value) => byModel({ [name]: value })());
  it(`${one} that is no object, or stands twice under one provider`, () => {
    mustName(one, byProvider({ models: ['m'] }));
    mustName('the model a/b', byProvider({ models: [MODEL, MODEL] }));
  });
  it('members that do not go together', () => {
    for (const [member, model] of TOGETHER) mustName(`${one}.${member}`, byModel(model));
  });
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
      upstreamId: 'b-1',
      name: 'B',
      description: 'Answers.',
      counter: 'hub-words',
      thinks: true,
      rewrites: true,
      lengthField: 'max_completion_tokens',
      since: 7,
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
      name: 'B',
      description: 'Answers.',
      backend: 'local',
      counter: 'hub-words',
      thinks: true,
      rewrites: true,
      since: 7,
      parameters: ['top_k', 'seed'],
      reads: {},
      providers: [
        {
          ...served,
          key: 'secret',
          idleMs: 7,
          totalMs: 9,
          model: 'b-1',
          lengthField: 'max_completion_tokens',
        },
      ],
    });
    assert.deepEqual(offerOf({}), {
      ...common,
      name: 'a/b',
      backend: 'upstream',
      counter: 'o200k_base',
      thinks: false,
      rewrites: false,
      since: 0,
      parameters: offerOf({})?.parameters,
      reads: {},
      providers: [
        {
          ...served,
          idleMs: 30_000,
          totalMs: 300_000,
          model: 'a/b',
          lengthField: 'max_tokens',
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
