import { earnedOf, outstanding, type CreditLine, type Loan } from './credit.ts';
import type { NotLent } from './advance.ts';
import { seconds } from './instant.ts';
import { atomic, ZERO, type Atomic } from './money.ts';
import type { NetworkId } from './network.ts';
import { lesser } from './settlement.ts';

/**
 * Limits on loans, principal in atomic units (choices credit.shares). Invariant: a borrower with
 * however many keys and addresses leaves others a share of the unsecured part and of all.
 */
/** Advances of this long are counted together. */
export const LENDING_WINDOW = seconds(3_600);
/** The time for which unpaid loans count against an address. */
export const UNPAID_WINDOW = seconds(86_400);
/** The part of the account's balance that goes out on trust in one window. */
const TRUST_PART = 100n;
/** The part of it for one network address block. */
const SITE_PART = 5n;
/** The part of the account's balance that goes out in one window at all. */
const WINDOW_PART = 2n;

/** The loans of the lending account on one network, and the parts of them that the limits use. */
export interface Lent {
  /** The amount it can pay now. */
  readonly has: Atomic;
  /** Lent in the window and not paid back. */
  readonly inWindow: Atomic;
  /** The part of it that no fees vouched for. */
  readonly onTrust: Atomic;
  /** The part of the borrower's address block, with what is overdue of a day. */
  readonly bySite: Atomic;
}

/** The part of an advance that the borrower's own fees do not cover. */
export function trustIn(principal: Atomic, line: CreditLine, loans: readonly Loan[]): Atomic {
  return over(principal, over(earnedOf(line), outstanding(loans)));
}

/** The most that an address block has on trust in one window, when nothing is out yet. */
function siteShare(fund: bigint): Atomic {
  return atomic(fund / TRUST_PART / SITE_PART);
}

export interface Wish {
  readonly principal: Atomic;
  readonly onTrust: Atomic;
  readonly network: NetworkId;
}

/** Undefined when the advance leaves others their share. */
export function crowded({ principal, onTrust, network }: Wish, lent: Lent): NotLent | undefined {
  const { has, inWindow } = lent;
  const trusted = atomic(has + lent.onTrust);
  const bounds: readonly Bound[] = [
    [has, `hub:credit has ${has} on ${network}, which is less than this advance.`],
    [
      over(atomic((has + inWindow) / WINDOW_PART), inWindow),
      `hub:credit has ${has} on ${network} and lends half of what it has in an hour.`,
    ],
    ...trustBounds(trusted, lent).map(([left, why]): Bound => [
      atomic(principal - onTrust + left),
      why,
    ]),
  ];
  const reached = bounds.filter(([most]) => most < principal);
  const [first] = reached;
  if (first === undefined) return undefined;
  const most = reached.reduce((least, [each]) => lesser(least, each), first[0]);
  return { refused: 'credit-unavailable', why: first[1], hint: hintFor(most, has) };
}

type Bound = readonly [most: Atomic, why: string];

function trustBounds(trusted: Atomic, { onTrust, bySite }: Lent): readonly Bound[] {
  const share = siteShare(trusted);
  return [
    [
      over(share, bySite),
      `Your network address has ${bySite} of advances that nothing vouches for, of at most ${share}.`,
    ],
    [
      over(atomic(trusted / TRUST_PART), onTrust),
      'What is lent in an hour without fees that vouch for it is lent to others.',
    ],
  ];
}

function hintFor(most: Atomic, has: Atomic): string {
  const without = 'Work without an advance: claiming and submitting need no balance.';
  if (has === 0n) return without;
  const smaller = most > 0n ? `Ask for less: "wantedAtomic": "${most}" at most. ` : '';
  return `${smaller}${without} More is lent when advances are paid back, or an hour later.`;
}

/**
 * Returns the refill of the lending account from fees: the loss of `target` by defaults, and at
 * most half of the fees that are there. `lent` is principal that is not lost.
 */
export function refillOf(of: {
  readonly target: Atomic;
  readonly has: bigint;
  readonly lent: Atomic;
  readonly fees: bigint;
}): Atomic {
  const lost = of.target - of.has - of.lent;
  const half = of.fees / 2n;
  const least = lost < half ? lost : half;
  return least > 0n ? atomic(least) : ZERO;
}

function over(a: Atomic, b: Atomic): Atomic {
  return a > b ? atomic(a - b) : ZERO;
}
