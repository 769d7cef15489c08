import assert from 'node:assert/strict';
import { keyAccount, keyIdOf } from './account.ts';
import type { Loan } from './credit.ts';
import { instant } from './instant.ts';
import { crowded, LENDING_WINDOW, refillOf, trustIn, UNPAID_WINDOW, type Lent } from './lending.ts';
import { atomic, ZERO } from './money.ts';

const NETWORK = 'sandbox' as const;
const WITHOUT = 'Work without an advance: claiming and submitting need no balance.';
const LATER = 'More is lent when advances are paid back, or an hour later.';

/** A fund of 1,000,000 units: 500,000 an hour, 10,000 of them on trust, 2,000 an address. */
const lent = (over: Partial<Record<keyof Lent, bigint>> = {}): Lent => {
  const { has = 1_000_000n, inWindow = 0n, onTrust = 0n, bySite = 0n } = over;
  return {
    has: atomic(has),
    inWindow: atomic(inWindow),
    onTrust: atomic(onTrust),
    bySite: atomic(bySite),
  };
};
const wish = (principal: bigint, onTrust = 0n) => ({
  principal: atomic(principal),
  onTrust: atomic(onTrust),
  network: NETWORK,
});

describe('the part of an advance on trust', () => {
  const loanOf = (principal: bigint): Loan => {
    const due = { principal: atomic(principal), origination: ZERO };
    return {
      id: 'loan',
      borrower: keyAccount(keyIdOf(new Uint8Array(32).fill(9))),
      taskId: 'task',
      attemptId: 'attempt',
      network: NETWORK,
      lent: due,
      left: due,
      state: 'open',
      takenAt: instant(0),
      transferId: 'transfer',
      onTrust: ZERO,
      site: '192.0.2.0/24',
    };
  };

  it('is what the fees of the borrower do not cover beside its open loans', () => {
    const line = { earned: atomic(100n) };
    assert.equal(trustIn(atomic(100n), line, []), 0n);
    assert.equal(trustIn(atomic(130n), line, []), 30n);
    assert.equal(trustIn(atomic(100n), line, [loanOf(30n), loanOf(20n)]), 50n);
    assert.equal(trustIn(atomic(40n), line, [loanOf(100n)]), 40n);
    assert.equal(trustIn(atomic(40n), line, [loanOf(300n)]), 40n);
  });
});

describe('the limits of lending', () => {
  const mustFail = (why: string, hint: string, ...of: Parameters<typeof crowded>): void =>
    assert.deepEqual(crowded(...of), { refused: 'credit-unavailable', why, hint });

  it('count an hour, and unpaid loans of a day', () => {
    assert.deepEqual([LENDING_WINDOW, UNPAID_WINDOW], [3_600, 86_400]);
  });

  it('take an advance that leaves others their share, to the last unit', () => {
    assert.equal(crowded(wish(500_000n), lent()), undefined);
    assert.equal(crowded(wish(200_000n), lent({ has: 700_000n, inWindow: 300_000n })), undefined);
    assert.equal(crowded(wish(2_000n, 2_000n), lent()), undefined);
    assert.equal(crowded(wish(5_000n, 500n), lent({ bySite: 1_500n, onTrust: 9_000n })), undefined);
  });

  it('lend no more than the account has', () => {
    const why = 'hub:credit has 0 on sandbox, which is less than this advance.';
    mustFail(why, WITHOUT, wish(1n), lent({ has: 0n }));
    mustFail(
      'hub:credit has 100 on sandbox, which is less than this advance.',
      `Ask for less: "wantedAtomic": "50" at most. ${WITHOUT} ${LATER}`,
      wish(101n),
      lent({ has: 100n }),
    );
  });

  it('lend half of all in an hour', () => {
    const why = (has: bigint): string =>
      `hub:credit has ${has} on sandbox and lends half of what it has in an hour.`;
    const hint = `Ask for less: "wantedAtomic": "500000" at most. ${WITHOUT} ${LATER}`;
    mustFail(why(1_000_000n), hint, wish(500_001n), lent());
    const half = lent({ has: 500_000n, inWindow: 500_000n });
    mustFail(why(500_000n), `${WITHOUT} ${LATER}`, wish(1n), half);
  });

  it('lend a fifth of a hundredth on trust to one address, and a hundredth to all', () => {
    const bySite =
      'Your network address has 1999 of advances that nothing vouches for, of at most 2000.';
    const less = (most: number): string =>
      `Ask for less: "wantedAtomic": "${most}" at most. ${WITHOUT} ${LATER}`;
    mustFail(bySite, less(9), wish(10n, 2n), lent({ bySite: 1_999n }));
    const toAll = 'What is lent in an hour without fees that vouch for it is lent to others.';
    // Money that is out on trust counts as part of the fund.
    const out = lent({ has: 990_000n, inWindow: 10_000n, onTrust: 10_000n });
    mustFail(toAll, less(3), wish(5n, 2n), out);
    mustFail(
      bySite,
      less(8),
      wish(10n, 2n),
      lent({ bySite: 1_999n, has: 990_000n, onTrust: 10_000n }),
    );
  });
});

describe('the refill of the lending account', () => {
  const refill = (has: bigint, out: bigint, fees: bigint): bigint =>
    refillOf({ target: atomic(1_000n), has, lent: atomic(out), fees });

  it('is what defaults took, and at most half of the fees', () => {
    assert.equal(refill(600n, 300n, 1_000n), 100n);
    assert.equal(refill(600n, 300n, 200n), 100n);
    assert.equal(refill(600n, 300n, 199n), 99n);
    assert.equal(refill(700n, 300n, 1_000n), 0n);
    assert.equal(refill(900n, 300n, 1_000n), 0n);
    assert.equal(refill(600n, 300n, -10n), 0n);
    assert.equal(refill(600n, 300n, 1n), 0n);
  });
});
