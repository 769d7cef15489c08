import assert from 'node:assert/strict';
import type { StatementEntry } from '../types.ts';
import { causesOf } from './causes.ts';

let seq = 0;
function entry(change: Partial<StatementEntry>): StatementEntry {
  seq += 1;
  return {
    seq,
    at: '2026-11-25T12:00:00.000Z',
    direction: 'in',
    reason: 'pay',
    amount: '0',
    balanceAfter: '0',
    heldAfter: '0',
    spendableAfter: '0',
    ref: { kind: 'task', id: 'a' },
    transferId: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
    ...change,
  };
}

describe('the lines of a statement', () => {
  it('joins the hold, the release and the payment of one task into one line', () => {
    const lines = causesOf([
      entry({ direction: 'out', reason: 'task.reward', amount: '970' }),
      entry({ direction: 'out', reason: 'task.fee.hub', amount: '30' }),
      entry({ direction: 'release', reason: 'task.escrow', amount: '1000' }),
      entry({ direction: 'in', reason: 'pay', amount: '5', ref: { kind: 'transfer', id: 'b' } }),
      entry({ direction: 'hold', reason: 'task.escrow', amount: '1000' }),
    ]);
    assert.deepEqual(
      lines.map(({ net, held, main, entries }) => [net, held, main.reason, entries.length]),
      [
        ['-1000', '0', 'task.reward', 4],
        ['5', '0', 'pay', 1],
      ],
    );
  });

  it('names a cause that has moved nothing yet by its hold, and says what it holds', () => {
    const [line] = causesOf([entry({ direction: 'hold', reason: 'bet.hold', amount: '700' })]);
    assert.deepEqual([line?.net, line?.held, line?.main.reason], ['0', '700', 'bet.hold']);
  });

  it('never holds less than nothing where the hold is on an older page', () => {
    const [line] = causesOf([entry({ direction: 'release', reason: 'bet.return', amount: '700' })]);
    assert.equal(line?.held, '0');
  });

  it('is exact beyond the numbers of the browser', () => {
    const amount = '9007199254740993';
    const [line] = causesOf([entry({ amount }), entry({ direction: 'out', amount: '2' })]);
    assert.equal(line?.net, '9007199254740991');
    assert.equal(line?.main.amount, amount);
  });
});
