import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic } from '../money.ts';
import { measuredNext } from './measureTime.ts';
import { endSeat, mayJudge, NO_RECORD, timedOut, voted, type ValidatorSeat } from './seat.ts';

const NOW = instant(Date.parse('2026-11-26T09:10:00.250Z'));
const NEXT_HOUR = instant(Date.parse('2026-11-26T10:00:00Z'));

const SEAT: ValidatorSeat = {
  id: 's',
  account: 'key:judge' as Account,
  network: 'sandbox',
  state: 'seated',
  endpoint: 'https://judge.example/verdict',
  endpointHost: 'judge.example',
  minFeeBps: 0,
  stake: atomic(700_000n),
  holdId: 'h' as CommitmentId,
  seatedAt: instant(0),
  record: NO_RECORD,
  probe: { failed: 0 },
};

describe('the seat of a judge', () => {
  it('judges while it is seated and not paused', () => {
    assert.equal(mayJudge(SEAT), true);
    for (const state of ['closed', 'retired'] as const) {
      assert.equal(mayJudge({ ...SEAT, state }), false);
    }
    for (const paused of ['probe-pending', 'probe-failed', 'no-shows'] as const) {
      assert.equal(mayJudge({ ...SEAT, paused }), false);
    }
  });

  it('ends without stake, hold, pause or further case, and keeps its record', () => {
    const { holdId: _, ...kept } = SEAT;
    const paused: ValidatorSeat = { ...SEAT, paused: 'no-shows', probe: { at: NOW, failed: 2 } };
    for (const state of ['closed', 'retired'] as const) {
      const ended = { ...kept, state, stake: 0n, endedAt: NOW, probe: { failed: 0 } };
      assert.deepEqual(endSeat(paused, state, NOW), ended);
    }
  });

  it('is paused by the third draw in a row that it does not answer', () => {
    const record = { ...NO_RECORD, noShows: 4, rounds: 9 };
    const measureAt = NEXT_HOUR;
    for (const missed of [0, 1]) {
      const seat = { ...SEAT, record: { ...record, missedInRow: missed } };
      const after = { ...record, noShows: 5, missedInRow: missed + 1 };
      assert.deepEqual(timedOut(seat, NOW), { ...seat, record: after, measureAt });
    }
    const third = { ...SEAT, record: { ...record, missedInRow: 2 } };
    const after = { ...third, record: { ...record, noShows: 5, missedInRow: 3 }, measureAt };
    const paused = { ...after, paused: 'no-shows', probe: { at: NOW, failed: 0 } };
    assert.deepEqual(timedOut(third, NOW), paused);
    const closed = { ...third, state: 'closed' as const };
    assert.deepEqual(timedOut(closed, NOW), { ...after, state: 'closed' }, 'only while seated');
  });

  it('counts the rounds, and the votes with the majority and against it', () => {
    const before = { ...NO_RECORD, rounds: 5, agreed: 3, disagreed: 2, missedInRow: 2 };
    const counted = { ...before, rounds: 6, missedInRow: 0, answersMs: [9] };
    const after = (agreed: boolean | undefined) => voted(before, { agreed, answerMs: 9 });
    assert.deepEqual(after(true), { ...counted, agreed: 4, window: 'a' });
    assert.deepEqual(after(false), { ...counted, disagreed: 3, window: 'd' });
    assert.deepEqual(after(undefined), counted);
  });

  it('has its figures computed at the next full hour', () => {
    const hour = instant(Date.parse('2026-11-26T09:00:00Z'));
    assert.equal(measuredNext(instant(hour - 1)), hour);
    assert.equal(measuredNext(hour), NEXT_HOUR);
    assert.equal(measuredNext(NOW), NEXT_HOUR);
  });
});
