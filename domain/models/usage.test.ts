import assert from 'node:assert/strict';
import { readUsage, settleUsage, type Claimed, type Exchanged } from './usage.ts';

const EXCHANGED: Exchanged = {
  promptBytes: 100,
  answerBytes: 10,
  toolCalls: 0,
  maxTokens: 500,
  thinks: false,
  ownPart: 0,
};
const counted = { input: 30, output: 3 };
const sourceOf = (claimed: Claimed | undefined, more: Partial<Exchanged> = {}): string =>
  settleUsage(claimed, counted, { ...EXCHANGED, ...more }).source;

describe('the usage that is billed', () => {
  const cases: readonly (readonly [string, Claimed, Partial<Exchanged>, string])[] = [
    ['a figure within the bytes', { input: 40, output: 10 }, {}, 'provider'],
    ['more answer than bytes', { input: 40, output: 20 }, {}, 'counted'],
    [
      '60 tokens for an answer of two bytes',
      { input: 40, output: 60 },
      { answerBytes: 2 },
      'counted',
    ],
    ['more prompt than bytes', { input: 300, output: 3 }, {}, 'counted'],
    ['no prompt at all', { input: 0, output: 3 }, {}, 'counted'],
    ['no answer where there is one', { input: 40, output: 0 }, {}, 'counted'],
    ['more than was asked for', { input: 40, output: 8 }, { maxTokens: 7 }, 'counted'],
    ['the template of a tool call', { input: 40, output: 30 }, { toolCalls: 1 }, 'provider'],
    [
      'hidden thought of a model that does not think',
      { input: 40, output: 99, thought: 90 },
      {},
      'counted',
    ],
    ['hidden thought', { input: 40, output: 99, thought: 90 }, { thinks: true }, 'provider'],
    [
      'more shown than bytes beside the thought',
      { input: 40, output: 99, thought: 50 },
      { thinks: true },
      'counted',
    ],
    ['thought that is not counted apart', { input: 40, output: 99 }, { thinks: true }, 'provider'],
  ];
  for (const [what, claimed, more, source] of cases) {
    it(`is ${source === 'provider' ? "the provider's" : 'counted'} for ${what}`, () => {
      assert.equal(sourceOf(claimed, more), source);
    });
  }

  const bounds: readonly (readonly [string, Claimed, Partial<Exchanged>])[] = [
    ['of a prompt is its bytes and 64', { input: 164, output: 3 }, {}],
    ['of an answer is its bytes and 4', { input: 40, output: 14 }, {}],
    ['of tool calls is 32 more for each', { input: 40, output: 78 }, { toolCalls: 2 }],
    ['of any answer is what was asked for', { input: 40, output: 12 }, { maxTokens: 12 }],
    [
      'of thought is what is counted apart',
      { input: 40, output: 64, thought: 50 },
      { thinks: true },
    ],
    ['of other thought is what was asked for', { input: 40, output: 500 }, { thinks: true }],
  ];
  for (const [what, claimed, more] of bounds) {
    it(`has a limit to the token, which ${what}`, () => {
      assert.equal(sourceOf(claimed, more), 'provider');
      const { input, output } = claimed;
      const beyond = input > 100 ? { input: input + 1, output } : { input, output: output + 1 };
      assert.equal(sourceOf({ ...claimed, ...beyond }, more), 'counted');
    });
  }

  it("is the provider's for an answer of nothing", () => {
    const claimed = { input: 1, output: 0 };
    assert.deepEqual(settleUsage(claimed, counted, { ...EXCHANGED, answerBytes: 0 }), {
      ...claimed,
      source: 'provider',
    });
  });

  it('is counted where the provider gives none, and never more than was asked for', () => {
    assert.equal(sourceOf(undefined), 'counted');
    const settled = settleUsage(undefined, { input: 30, output: 900 }, EXCHANGED);
    assert.deepEqual(settled, { input: 30, output: 500, source: 'counted' });
  });

  it('is read with the tokens of thought, and not from what is no count', () => {
    const details = { reasoning_tokens: 4 };
    const usage = { prompt_tokens: 7, completion_tokens: 9, completion_tokens_details: details };
    assert.deepEqual(readUsage(usage), { input: 7, output: 9, thought: 4 });
    assert.deepEqual(readUsage({ ...usage, completion_tokens_details: null }), {
      input: 7,
      output: 9,
    });
    assert.deepEqual(readUsage({ prompt_tokens: 1_000_000_000, completion_tokens: 0 }), {
      input: 1_000_000_000,
      output: 0,
    });
    for (const wrong of [
      null,
      [],
      { ...usage, prompt_tokens: '7' },
      { ...usage, completion_tokens: -1 },
      { ...usage, completion_tokens: 1.5 },
      { ...usage, prompt_tokens: 1_000_000_001 },
    ]) {
      assert.equal(readUsage(wrong), undefined);
    }
  });

  it('has as cached what the provider says, within the part that the account sent before', () => {
    const cachedOf = (cached: number, ownPart: number): number | undefined =>
      settleUsage({ input: 40, output: 3, cached }, counted, { ...EXCHANGED, ownPart }).cached;
    assert.deepEqual([cachedOf(30, 1), cachedOf(30, 0.5), cachedOf(30, 0)], [30, 20, undefined]);
    const counts = { prompt_tokens: 9, completion_tokens: 1 };
    for (const named of [
      { prompt_tokens_details: { cached_tokens: 8 } },
      { prompt_cache_hit_tokens: 8 },
      { cached_tokens: 8 },
    ]) {
      assert.equal(readUsage({ ...counts, ...named })?.cached, 8);
    }
    assert.equal(readUsage({ ...counts, cached_tokens: -1 })?.cached, undefined);
  });
});
