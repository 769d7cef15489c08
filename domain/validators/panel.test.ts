import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from '../account.ts';
import type { Account } from '../account.ts';
import { instant } from '../instant.ts';
import { atomic } from '../money.ts';
import { panelOf, pauseAfter, reliableSeats, tally } from './panel.ts';
import type { PanelistVerdict, EligibleSeat, PanelSize, Tally } from './panel.ts';
import { ceilingOf, medianAnswerMs, mustRetire, NO_RECORD, stakeFor, voted } from './seat.ts';
import type { ValidatorSeat, SeatRecord } from './seat.ts';

const accountOf = (n: number): Account => keyAccount(keyIdOf(new Uint8Array(32).fill(n + 1)));

function eligible(minFees: readonly number[], groups: readonly string[] = []): EligibleSeat[] {
  return minFees.map((minFeeBps, n) => {
    const seat: ValidatorSeat = {
      id: `${n}`,
      account: accountOf(n),
      network: 'sandbox',
      state: 'seated',
      endpoint: 'https://judge.example.com/',
      endpointHost: `judge${n}.example.com`,
      minFeeBps,
      stake: atomic(0n),
      seatedAt: instant(0),
      record: NO_RECORD,
      probe: { failed: 0 },
    };
    return { seat, group: groups[n] ?? seat.account };
  });
}

describe('panelOf', () => {
  /** Reward in USDC, least fees of the eligible seats, groups; size and pool, or none. */
  const TABLE: readonly (readonly [number, string, string, string])[] = [
    [1, '', '', 'nobody'],
    [1, '0', '', '1 of 1'],
    [1, '0 0', '', '1 of 2'],
    [1, '0 0 0', '', '3 of 3'],
    [1, '0 0 0 0 0 0', '', '3 of 6'],
    [100, '0 0 0 0 0', '', '3 of 5'],
    [101, '0 0 0 0 0', '', '5 of 5'],
    [101, '0 0 0 0', '', '3 of 4'],
    [1, '33 33 33', '', '3 of 3'],
    [1, '34 33 33', '', '1 of 3'],
    [1, '34 33 33 0', '', '3 of 3'],
    [1, '100 100 100', '', '1 of 3'],
    [101, '20 20 20 20 20', '', '5 of 5'],
    [101, '21 20 20 20 20', '', '3 of 5'],
    [1, '0 0 0', 'a a a', '1 of 3'],
    [1, '0 0 0 0', 'a a b c', '3 of 4'],
    [101, '0 0 0 0 0', 'a a b c d', '3 of 5'],
  ];
  for (const [usdc, fees, groups, expected] of TABLE) {
    it(`${usdc} USDC, fees ${fees || '-'}, groups ${groups || 'none'}: ${expected}`, () => {
      const listed = (text: string): string[] => text.split(' ').filter((word) => word !== '');
      const seats = eligible(listed(fees).map(Number), listed(groups));
      const panel = panelOf(BigInt(usdc) * 1_000_000n, seats);
      assert.equal(panel ? `${panel.size} of ${panel.pool.length}` : 'nobody', expected);
    });
  }

  it('is of five just above 100 USDC', () => {
    const seats = eligible([0, 0, 0, 0, 0]);
    assert.equal(panelOf(100_000_000n, seats)?.size, 3);
    assert.equal(panelOf(100_000_001n, seats)?.size, 5);
  });

  it('draws from a pool where each seat weighs its stake, and at least 1000', () => {
    const stakes = [0n, 1_000n, 1_001n];
    const seats = eligible([0, 0, 0]).map(({ seat }, n) => ({
      seat: { ...seat, stake: atomic(stakes[n] ?? 0n) },
      group: `group ${n}`,
    }));
    assert.deepEqual(panelOf(1n, seats)?.pool, [
      { account: accountOf(0), weight: 1_000n, group: 'group 0' },
      { account: accountOf(1), weight: 1_000n, group: 'group 1' },
      { account: accountOf(2), weight: 1_001n, group: 'group 2' },
    ]);
  });
});

describe('a bar of the requester', () => {
  const rated = (bps: readonly (number | undefined)[], groups: readonly string[] = []) =>
    eligible(
      bps.map(() => 0),
      groups,
    ).map((seat, n) => {
      const reliabilityBps = bps[n];
      return { ...seat, ...(reliabilityBps !== undefined && { reliabilityBps }) };
    });

  it('leaves the seats that reach it, while five of them are not linked', () => {
    const seats = rated([9_000, 8_999, 9_001, 9_000, 9_500, undefined, 10_000]);
    const reliable = [0, 2, 3, 4, 6].map((n) => seats[n]);
    assert.deepEqual(reliableSeats(seats, 9_000), reliable);
    assert.equal(reliableSeats(seats, 9_001), undefined);
    assert.equal(reliableSeats(rated([1, 1, 1, 1, 1], ['a', 'a', 'b', 'c', 'd']), 1), undefined);
    const linked = rated([1, 1, 1, 1, 1, 1], ['a', 'a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(reliableSeats(linked, 1), linked);
  });

  it('is not reached at nothing by seats without a measured reliability', () => {
    assert.equal(reliableSeats(rated([0, 0, 0, 0, undefined]), 0), undefined);
    assert.equal(reliableSeats(rated([0, 0, 0, 0, 0]), 0)?.length, 5);
  });
});

describe('tally', () => {
  /** Size; each seat's act (a accepted, r rejected, n no-show, c called, d due, x let go). */
  const TABLE: readonly (readonly [PanelSize, string, string])[] = [
    [1, 'a', 'accepted'],
    [1, 'r', 'rejected'],
    [1, 'n', '1 vacant'],
    [1, 'na', 'accepted'],
    [3, 'aaa', 'accepted'],
    [3, 'aar', 'accepted'],
    [3, 'rra', 'rejected'],
    [3, 'aan', 'accepted'],
    [3, 'aac', 'waits'],
    [3, 'aad', 'waits'],
    [3, 'aax', 'accepted'],
    [3, 'arn', '1 vacant'],
    [3, 'arnr', 'rejected'],
    [3, 'arnn', '1 vacant'],
    [3, 'nnn', '3 vacant'],
    [3, 'ann', '2 vacant'],
    [5, 'aaarr', 'accepted'],
    [5, 'aannn', '3 vacant'],
    [5, 'aarrn', '1 vacant'],
    [5, 'aarrnr', 'rejected'],
  ];
  for (const [size, did, expected] of TABLE) {
    it(`decides ${size}, ${did}: ${expected}`, () => {
      assert.equal(wordOf(tally(size, [...did].map(panelist))), expected);
    });
  }

  it('names who voted, in draw order', () => {
    const outcome = tally(3, [...'nara'].map(panelist));
    assert.ok('votes' in outcome);
    assert.deepEqual(
      outcome.votes.map(({ place, verdict }) => [place, verdict]),
      [
        [1, 'accepted'],
        [2, 'rejected'],
        [3, 'accepted'],
      ],
    );
  });
});

const DID: Readonly<Record<string, Pick<PanelistVerdict, 'state' | 'verdict'>>> = {
  a: { state: 'voted', verdict: 'accepted' },
  r: { state: 'voted', verdict: 'rejected' },
  n: { state: 'no-show' },
  c: { state: 'called' },
  d: { state: 'due' },
  x: { state: 'released' },
};

function panelist(did: string, place: number): PanelistVerdict {
  return { account: accountOf(place), place, ...(DID[did] ?? { state: 'due' }) };
}

function wordOf(outcome: Tally): string {
  if ('verdict' in outcome) return outcome.verdict;
  return 'waits' in outcome ? 'waits' : `${outcome.vacant} vacant`;
}

describe('a seat', () => {
  it('may judge 1 USDC and five times its stake, to the unit', () => {
    for (const stake of [0n, 1n, 199_999n, 200_000n, 1_000_000n]) {
      const ceiling = ceilingOf(atomic(stake));
      assert.equal(ceiling, 1_000_000n + 5n * stake);
      assert.equal(stakeFor(ceiling), stake);
      assert.equal(stakeFor(ceiling + 1n), stake + 1n);
    }
    assert.equal(stakeFor(0n), 0n);
  });

  const after = (did: string): SeatRecord =>
    [...did].reduce(
      (record, each) =>
        voted(record, { agreed: each === '-' ? undefined : each === 'a', answerMs: 5 }),
      NO_RECORD,
    );

  it('retires at ten of its last twenty panels, whenever they were', () => {
    assert.equal(mustRetire(after('d'.repeat(9))), false);
    assert.equal(mustRetire(after('d'.repeat(10))), true);
    assert.equal(mustRetire(after('ad'.repeat(9))), false);
    assert.equal(mustRetire(after('ad'.repeat(10))), true);
    assert.equal(mustRetire(after(`${'d'.repeat(9)}${'a'.repeat(12)}d`)), false);
    assert.equal(mustRetire(after(`${'d'.repeat(9)}${'a'.repeat(10)}d`)), true);
  });

  it('alone has no judge to agree with: such rounds count as rounds only', () => {
    const record = after('-'.repeat(30));
    assert.deepEqual([record.rounds, record.agreed, record.window], [30, 0, '']);
    assert.deepEqual(after('ad-a').window, 'ada');
  });

  it('shows the lower median of its answers', () => {
    const of = (answersMs: readonly number[]) => medianAnswerMs({ ...NO_RECORD, answersMs });
    assert.deepEqual(
      [of([]), of([7]), of([9, 1]), of([5, 1, 9]), of([4, 3, 2, 1])],
      [undefined, 7, 1, 5, 2],
    );
    assert.equal(after('a'.repeat(200)).answersMs.length, 99);
  });

  it('is called three times, after 5 and 15 seconds', () => {
    assert.deepEqual([pauseAfter(1), pauseAfter(2), pauseAfter(3)], [5, 15, undefined]);
  });
});
