import type { Difference } from '../../../db/audit/check.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import { head } from '../../../domain/text.ts';

/** The rules of choices ledger.invariants by their contract names, with each breach in words. */
type Conservation = Schemas['Conservation'];
export type Breach = Conservation['differences'][number];
type CheckName = Schemas['BooksCheck'];

interface Rule {
  readonly check: CheckName;
  readonly invariant: string;
  readonly says: string;
}

export const RULES: readonly Rule[] = [
  {
    check: 'transfers-zero',
    invariant: 'I1',
    says: 'The moves of every transfer add up to zero, and no transfer is empty.',
  },
  {
    check: 'balances-zero',
    invariant: 'I2',
    says: 'All balances of a network and asset, the outside included, add up to zero.',
  },
  {
    check: 'holds-match',
    invariant: 'I3',
    says: 'Every account holds what its open commitments have remaining.',
  },
  {
    check: 'no-overdraft',
    invariant: 'I4',
    says: 'No account but the outside has less than it holds, or less than nothing.',
  },
  {
    check: 'statement-ends',
    invariant: 'I5',
    says: 'Every statement has no gap, each balance follows from the one before, and it ends at the balance of the account.',
  },
  {
    check: 'one-network',
    invariant: 'I6',
    says: 'Every transfer stays on one network and asset.',
  },
  {
    check: 'outside-reasons',
    invariant: 'I7',
    says: 'Only deposits, withdrawals, the faucet and issuance touch the outside, so nothing else makes money.',
  },
  {
    check: 'escrow-match',
    invariant: 'I8',
    says: 'Every live task with a reward has one hold of the whole reward, and nothing else is held for work.',
  },
  {
    check: 'pots-match',
    invariant: 'I9',
    says: 'Pots hold what tables and markets have in them.',
  },
  {
    check: 'calls-once',
    invariant: 'I10',
    says: 'Every once-only call has one result and at most one transfer, which exists.',
  },
  {
    check: 'loans-match',
    invariant: 'I11',
    says: 'Every loan owes what was lent less what came back, and the lending account moves for nothing else.',
  },
  {
    check: 'calls-match',
    invariant: 'I12',
    says: 'What is held for a call is held while it runs, and every call that cost something was paid that much.',
  },
  {
    check: 'stakes-match',
    invariant: 'I13',
    says: 'What is held as a stake is the whole stake of a seat that is taken.',
  },
  {
    check: 'payments-match',
    invariant: 'I14',
    says: 'Every payment over x402 that settled was credited once and in full, and nothing else came in as one.',
  },
];

/** Which of a found row's columns are the figures, where a rule compares two. */
const FIGURES: Readonly<Record<string, readonly [expected: string, found: string]>> = {
  I3: ['committed', 'held'],
  I4: ['held', 'posted'],
  I9: ['money', 'posted'],
};
const SUBJECT_MAX = 200;
const FIGURE_GRAMMAR = /^(0|-?[1-9][0-9]{0,18})$/;

/**
 * Presents one breach. A rule that compares a sum with zero found that sum; under a rule without
 * amounts no row was expected and one was found.
 */
export function breachOf({ invariant, says, found }: Difference): Breach {
  const rule = RULES.find((each) => each.invariant === invariant);
  if (rule === undefined) throw new Error(`the contract has no name for ${invariant}`);
  const [expectedIn, foundIn] = FIGURES[invariant] ?? ['', 'total'];
  const { network, asset } = found;
  const reported = Object.entries(found).map(([name, value]) => `${name}=${value}`);
  return {
    check: rule.check,
    network,
    ...(asset === 'USDC' && { asset }),
    subject: head(`${says}: ${reported.join(' ')}`, SUBJECT_MAX),
    expected: figure(found[expectedIn]) ?? '0',
    found: figure(found[foundIn]) ?? '1',
  };
}

function figure(text: string | undefined): string | undefined {
  return text !== undefined && FIGURE_GRAMMAR.test(text) ? text : undefined;
}
