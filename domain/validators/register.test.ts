import assert from 'node:assert/strict';
import type { Account } from '../account.ts';
import { instant, type Instant } from '../instant.ts';
import type { CommitmentId } from '../ledger/transfer.ts';
import { atomic } from '../money.ts';
import { probed, takeSeat, type SeatRequest } from './register.ts';
import { NO_RECORD, type ValidatorSeat } from './seat.ts';

const NOW = instant(Date.parse('2026-11-26T09:10:00Z'));
const EARLIER = instant(Date.parse('2026-11-20T08:00:00Z'));
const later = (seconds: number): Instant => instant(NOW + seconds * 1000);

const ADDRESS = {
  account: 'key:judge' as Account,
  endpoint: 'https://judge.example/verdict',
  endpointHost: 'judge.example',
};
const SEAT: ValidatorSeat = {
  ...ADDRESS,
  id: 'first',
  network: 'play',
  state: 'seated',
  skill: 'extraction',
  minFeeBps: 20,
  stake: atomic(700n),
  holdId: 'h' as CommitmentId,
  seatedAt: EARLIER,
  record: { ...NO_RECORD, rounds: 7 },
  probe: { failed: 0 },
  measureAt: later(3_000),
};
const take = (before: ValidatorSeat | undefined, over: Partial<SeatRequest> = {}, now = NOW) =>
  takeSeat(before, { ...ADDRESS, ...over }, { id: 'new', network: 'sandbox', now });

describe('taking a seat', () => {
  it('pauses it until it answers a case that is sent at once', () => {
    const paused = { paused: 'probe-pending', probe: { at: NOW, failed: 0 } };
    const empty = {
      ...ADDRESS,
      ...paused,
      id: 'new',
      network: 'sandbox',
      state: 'seated',
      minFeeBps: 0,
      stake: 0n,
      seatedAt: NOW,
      record: NO_RECORD,
    };
    assert.deepEqual(take(undefined), empty);
    const asked = { skill: 'law', minFeeBps: 33, stake: atomic(5n), network: 'base' } as const;
    assert.deepEqual(take(undefined, asked), { ...empty, ...asked });
  });

  it('changes fee and skill a second time, raises the stake, and keeps the rest', () => {
    const { skill: _, ...kept } = SEAT;
    assert.deepEqual(take(SEAT), { ...kept, minFeeBps: 0 });
    const more = { skill: 'law', minFeeBps: 1, network: 'play' } as const;
    for (const stake of [700n, 701n].map(atomic)) {
      assert.deepEqual(take(SEAT, { ...more, stake }), { ...SEAT, ...more, stake });
    }
  });

  it('pauses it a second time when its address is another one or did not answer yet', () => {
    const { skill: _, ...kept } = SEAT;
    const paused = { paused: 'probe-pending', probe: { at: NOW, failed: 0 } } as const;
    const moved = { endpoint: 'https://other.example/', endpointHost: 'other.example' };
    const after = { ...kept, ...paused, minFeeBps: 0 };
    assert.deepEqual(take(SEAT, moved), { ...after, ...moved });
    assert.deepEqual(take({ ...SEAT, paused: 'no-shows' }), after);
    assert.deepEqual(take({ ...SEAT, ...paused }), after);
  });

  it('begins a new time on the same seat after resigning', () => {
    const { skill: _, holdId: _hold, ...kept } = SEAT;
    const closed: ValidatorSeat = { ...kept, state: 'closed', stake: atomic(0n), endedAt: EARLIER };
    assert.deepEqual(take(closed, { stake: atomic(3n) }), {
      ...kept,
      minFeeBps: 0,
      paused: 'probe-pending',
      stake: 3n,
      seatedAt: NOW,
      probe: { at: NOW, failed: 0 },
    });
  });

  it('is refused to a retired seat, before any other reason', () => {
    const retired: ValidatorSeat = { ...SEAT, state: 'retired', endedAt: later(-1) };
    const why = 'The seat was retired at 2026-11-26T09:09:59.000Z.';
    const over = { network: 'base', stake: atomic(1n) } as const;
    assert.deepEqual(take(retired, over), { refused: 'seat-retired', why });
  });

  it('is refused on another network, and with less stake', () => {
    const network = {
      refused: 'seat-exists',
      why: 'Your seat is on play for good; its record is of that money.',
      field: 'body.network',
    };
    assert.deepEqual(take(SEAT, { network: 'sandbox', stake: atomic(1n) }), network);
    assert.deepEqual(take(SEAT, { stake: atomic(699n) }), {
      refused: 'seat-exists',
      why: 'The stake is 700 and only rises; resigning returns it.',
      field: 'body.stake',
    });
  });
});

describe('the case that a seat is tried with', () => {
  const pending: ValidatorSeat = {
    ...SEAT,
    paused: 'probe-pending',
    probe: { at: NOW, failed: 0 },
  };
  const failed = (times: number): ValidatorSeat =>
    Array.from({ length: times }).reduce<ValidatorSeat>(
      (seat) => probed(seat, false, NOW),
      pending,
    );

  it('seats it in full when it is answered', () => {
    for (const paused of ['probe-pending', 'probe-failed', 'no-shows'] as const) {
      const record = { ...SEAT.record, missedInRow: 3 };
      const seat = { ...SEAT, paused, record, probe: { at: NOW, failed: 4 } };
      assert.deepEqual(probed(seat, true, NOW), { ...SEAT, record: { ...record, missedInRow: 0 } });
    }
  });

  it('is sent again later and later while it is not answered, up to an hour', () => {
    const waits = [60, 120, 240, 480, 960, 1_920, 3_600, 3_600];
    for (const [n, wait] of waits.entries()) {
      const probe = { at: later(wait), failed: n + 1 };
      assert.deepEqual(failed(n + 1), { ...pending, paused: 'probe-failed', probe });
    }
    assert.equal(failed(2_000).probe.at, later(3_600));
  });

  it('shows by the pause why no case is routed to the seat', () => {
    const pausedAfter = (paused?: ValidatorSeat['paused']) =>
      probed({ ...SEAT, ...(paused && { paused }) }, false, NOW);
    assert.equal(pausedAfter('probe-pending').paused, 'probe-failed');
    assert.equal(pausedAfter('probe-failed').paused, 'probe-failed');
    assert.equal(pausedAfter('no-shows').paused, 'no-shows');
    assert.ok(!('paused' in pausedAfter()));
  });

  it('is not sent by asking for the seat within a minute of a failed one', () => {
    const refusal = {
      refused: 'endpoint-silent',
      why: 'https://judge.example/verdict gave no verdict on the case that it was sent at 2026-11-26T09:10:00.000Z; it can be tried again at 2026-11-26T09:11:00.000Z.',
      field: 'body.endpoint',
    };
    for (const times of [1, 2, 9]) {
      assert.deepEqual(take(failed(times), {}, instant(NOW + 59_999)), refusal);
      assert.ok(!('refused' in take(failed(times), {}, later(60))));
    }
    const other = { endpoint: 'https://judge.example/other' };
    for (const [seat, over] of [
      [failed(1), other],
      [{ ...failed(1), state: 'closed' }, {}],
      [pending, {}],
    ] as const) {
      assert.ok(!('refused' in take(seat, over)));
    }
  });
});
