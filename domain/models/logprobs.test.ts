import assert from 'node:assert/strict';
import { readLogprobs } from './logprobs.ts';

const entry = (token: string, logprob: number, others: readonly (readonly [string, number])[]) => ({
  token,
  logprob,
  bytes: null,
  top_logprobs: others.map(([each, figure]) => ({ token: each, logprob: figure, bytes: null })),
});

describe('probabilities of tokens', () => {
  it('are passed on in the newer form, of the text and of a refusal', () => {
    const content = [{ token: 'a', own: 1 }];
    const refusal = [{ token: 'b' }];
    assert.deepEqual(readLogprobs({ logprobs: { content, refusal: null } }, ''), { content });
    assert.deepEqual(readLogprobs({ logprobs: { content, refusal } }, ''), { content, refusal });
  });

  it('are read from lists that stand beside each other', () => {
    const logprobs = {
      tokens: ['a', 'b', 7],
      token_logprobs: [null, -0.5, -1],
      top_logprobs: [null, { b: -0.5, c: -2 }],
    };
    const content = [
      entry('a', 0, []),
      entry('b', -0.5, [
        ['b', -0.5],
        ['c', -2],
      ]),
    ];
    assert.deepEqual(readLogprobs({ logprobs }, 'ab'), { content });
  });

  it('are read from one number, for the text of the chunk', () => {
    const choice = { logprobs: -0.25, top_logprobs: { x: -0.25 } };
    assert.deepEqual(readLogprobs(choice, 'x'), { content: [entry('x', -0.25, [['x', -0.25]])] });
  });

  it('are none where a provider gives none', () => {
    for (const logprobs of [null, undefined, {}, 'a', [], { content: [], tokens: [] }]) {
      assert.equal(readLogprobs({ logprobs }, 'x'), undefined);
    }
  });
});
