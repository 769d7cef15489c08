import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic } from '../money.ts';
import { closed, sentence, type Receipt } from './receipt.ts';

const NOW = instant(1_800_000_000_000);

describe('a receipt', () => {
  const running: Receipt = {
    id: 'r',
    caller: 'key:caller' as Account,
    network: 'sandbox',
    operation: 'convert',
    at: NOW,
    resolveAt: instant(NOW + 90_000),
    outcome: 'running',
    why: '',
    cost: atomic(0n),
    durationMs: 5,
    responseBytes: 0,
    refused: [],
    considered: [],
  };

  it('holds nothing when its call is over, and keeps the rest', () => {
    const hold = { id: 'h' as CommitmentId, amount: atomic(5n) };
    const end = instant(NOW + 7);
    const over = { ...running, outcome: 'failed', why: 'Out of ink.', endedAt: end };
    assert.deepEqual(closed({ ...running, hold }, 'failed', 'Out of\nink.', end), over);
  });

  it('gives each reason on one line of at most 400 characters', () => {
    assert.equal(sentence(' a\u202e\tb\n c '), 'a b c');
    assert.equal(sentence('x'.repeat(401)), 'x'.repeat(400));
    assert.equal(sentence(' \u200b\n'), 'It gave no reason.');
  });
});
