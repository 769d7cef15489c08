import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../account.ts';
import { instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic, ZERO } from '../money.ts';
import { wholeAnswer, type AnswerPiece, isAnswerPiece, isWords } from './piece.ts';
import {
  chargeOf,
  ended,
  returnedOf,
  sentence,
  usageCost,
  type Ending,
  type ModelReceipt,
} from './receipt.ts';

const PRICE = { input: 1_000_000n, output: 2_000_000n };
const RUNNING: ModelReceipt = {
  id: 'call',
  at: instant(1_000),
  payer: keyAccount(keyIdOf(new Uint8Array(32).fill(9))),
  network: 'sandbox',
  door: 'api',
  model: 'hub/echo',
  maxTokens: 10,
  resolveAt: instant(61_000),
  outcome: 'running',
  usage: { input: 0, output: 0, source: 'counted' },
  held: atomic(50n),
  charged: ZERO,
  borne: ZERO,
  holdId: 'hold' as CommitmentId,
  durationMs: 0,
  price: PRICE,
  refused: [],
};
/** It costs 16 units. */
const ending = (more: Partial<Ending> = {}): Ending => ({
  outcome: 'completed',
  usage: { input: 10, output: 3, source: 'provider' },
  price: PRICE,
  refused: [],
  ...more,
});
const HELD = atomic(50n);

describe('the charge of a model call', () => {
  const charges: readonly (readonly [string, Partial<Ending>, bigint, cost: bigint, bigint])[] = [
    ['is the cost of its usage', {}, 50n, 16n, 16n],
    ['is due as well when the caller closed early', { outcome: 'closed-early' }, 50n, 16n, 16n],
    ['is nothing when it failed', { outcome: 'failed' }, 50n, 0n, 0n],
    ['is all that is held, to the unit', {}, 16n, 16n, 16n],
    ['is never more than is held', {}, 15n, 15n, 15n],
    ['is never more than the most that it costs', { most: atomic(12n) }, 50n, 12n, 12n],
    ['is nothing when the hub bears the cost', { isBorne: true }, 50n, 16n, 0n],
    ['is due when the hub bears nothing', { isBorne: false }, 50n, 16n, 16n],
  ];
  for (const [what, more, held, cost, charge] of charges) {
    it(what, () => {
      assert.equal(usageCost(ending(more), atomic(held)), cost);
      assert.equal(chargeOf(ending(more), atomic(held)), charge);
    });
  }
});

describe('the receipt of a model call', () => {
  it('has its ending, and no hold any more', () => {
    const { holdId: _, ...rest } = RUNNING;
    const over = ended(RUNNING, ending({ servedBy: 'hub', most: HELD }), instant(3_500));
    assert.deepEqual(over, {
      ...rest,
      ...ending({ servedBy: 'hub' }),
      charged: 16n,
      borne: 0n,
      endedAt: 3_500,
      durationMs: 2_500,
    });
  });

  it('returns what was held and not charged, and nothing while it runs', () => {
    assert.equal(returnedOf(RUNNING), 0n);
    const over = ended(RUNNING, ending(), instant(3_500));
    assert.deepEqual([over.held, over.charged, returnedOf(over)], [50n, 16n, 34n]);
    const failed = ended(RUNNING, ending({ outcome: 'failed' }), instant(3_500));
    assert.equal(returnedOf(failed), 50n);
  });

  it('names the cost that the hub bears, and takes nothing for it', () => {
    const over = ended(RUNNING, ending({ isBorne: true }), instant(3_500));
    assert.deepEqual([over.charged, over.borne, returnedOf(over)], [0n, 16n, 50n]);
  });

  it('lasts no less than nothing when the clock is set back', () => {
    assert.equal(ended(RUNNING, ending(), instant(999)).durationMs, 0);
  });

  it('keeps a reason on one line of at most 400 characters', () => {
    const reason = `The provider\nsays ${'x'.repeat(500)}`;
    const failed = ended(RUNNING, ending({ outcome: 'failed', reason }), instant(1_000));
    assert.match(failed.reason ?? '', /^The provider says x+$/);
    assert.equal(failed.reason?.length, 400);
    assert.equal('reason' in ended(RUNNING, ending(), instant(1_000)), false);
    assert.equal(sentence('\u200b'), 'It gave no reason.');
  });
});

describe('the pieces of an answer', () => {
  it('are put together by kind, in their order', async () => {
    const calls = [0, 1].map((index) => ({ index, function: {} }));
    const pieces: readonly AnswerPiece[] = [
      { is: 'reasoning', text: 'hm' },
      { is: 'text', text: 'one ' },
      { is: 'tools', calls: calls.slice(0, 1) },
      { is: 'text', text: 'two' },
      { is: 'refusal', text: 'no' },
      { is: 'beside', annotations: [{ a: 1 }], logprobs: { content: [1] } },
      { is: 'beside', annotations: [{ a: 2 }], logprobs: { content: [2], refusal: [3] } },
      { is: 'tools', calls: calls.slice(1) },
    ];
    async function* given(): AsyncGenerator<AnswerPiece> {
      await Promise.resolve();
      yield* pieces;
    }
    assert.deepEqual(await wholeAnswer(given()), {
      text: 'one two',
      refusal: 'no',
      reasoning: 'hm',
      calls,
      members: {},
      vectors: [],
      annotations: [{ a: 1 }, { a: 2 }],
      logprobs: { content: [1, 2], refusal: [3] },
    });
  });

  it('are words and tool calls, and neither the end nor the usage', () => {
    const kinds = ['text', 'refusal', 'reasoning', 'tools', 'beside', 'finish', 'usage'];
    assert.deepEqual(
      kinds.filter((is) => isWords({ is })),
      ['text', 'refusal', 'reasoning'],
    );
    assert.deepEqual(
      kinds.filter((is) => isAnswerPiece({ is })),
      ['text', 'refusal', 'reasoning', 'tools', 'beside'],
    );
  });
});
