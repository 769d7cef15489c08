import assert from 'node:assert/strict';
import { readUpstreams } from './upstreams.ts';

type Json = Readonly<Record<string, unknown>>;
const MODEL = { id: 'a/b', input: '2', output: '10', contextLength: 1_000, maxAnswerTokens: 100 };
const PROVIDER = { name: 'acme', baseUrl: 'https://api.acme.example/v1/', models: [MODEL] };
const KEYS: Readonly<Record<string, string>> = { ACME_KEY: 'secret' };

const read = (...providers: readonly Json[]) => readUpstreams({ providers }, (name) => KEYS[name]);
const withModel = (more: Json): Json => ({ ...PROVIDER, models: [{ ...MODEL, ...more }] });

describe('the file of providers', () => {
  it('is read into offers, with what it leaves out', () => {
    const [offer] = read({ ...PROVIDER, keyFrom: 'ACME_KEY', firstTokenMs: 5 });
    const { url, key, model, firstTokenMs, idleMs, totalMs } = offer?.providers[0] ?? {};
    assert.deepEqual(
      { url, key, model, firstTokenMs, idleMs, totalMs },
      {
        url: 'https://api.acme.example/v1/chat/completions',
        key: 'secret',
        model: 'a/b',
        firstTokenMs: 5,
        idleMs: 30_000,
        totalMs: 300_000,
      },
    );
    assert.deepEqual(
      [offer?.counter, offer?.backend, offer?.thinks],
      ['o200k_base', 'upstream', false],
    );
  });

  it('rounds prices up after the margin, of the model before that of its provider', () => {
    const priced = (more: Json, provider: Json = {}) =>
      read({ ...withModel(more), ...provider })[0]?.providers[0]?.price;
    assert.deepEqual(priced({}), { input: 2_000_000n, output: 10_000_000n });
    assert.deepEqual(priced({ input: '0.000001', output: '0' }, { marginPercent: 0.01 }), {
      input: 2n,
      output: 0n,
    });
    assert.deepEqual(priced({ marginPercent: 50 }, { marginPercent: 10 }), {
      input: 3_000_000n,
      output: 15_000_000n,
    });
  });

  it('joins the providers of one model: cheapest first, and what all of them give', () => {
    const dear = {
      ...withModel({ input: '3', contextLength: 800, maxAnswerTokens: 900 }),
      name: 'dear',
    };
    const local = { ...withModel({ thinks: true }), name: 'beside', backend: 'local' };
    const [offer, ...more] = read(dear, local);
    assert.deepEqual(more, []);
    assert.deepEqual(
      offer?.providers.map(({ name }) => name),
      ['beside', 'dear'],
    );
    const { contextLength, maxAnswerTokens, thinks, backend } = offer ?? {};
    // One answer may not be longer than its context, and one paid provider makes a model a paid one.
    assert.deepEqual(
      { contextLength, maxAnswerTokens, thinks, backend },
      { contextLength: 800, maxAnswerTokens: 100, thinks: true, backend: 'upstream' },
    );
  });
});
