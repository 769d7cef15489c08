import { defined } from '../defined.ts';
import type { Instant } from '../instant.ts';
import type { Atomic } from '../money.ts';
import { nameable, ranked, suitable, type Candidate, type Excluded } from './candidate.ts';
import { askedPrice, type Purse } from './price.ts';
import { CONSIDERED_MAX, type Considered } from './receipt.ts';

/** The candidates to call, first to last, and the outcome of all others (Router rules 1 and 4). */
export interface Offer {
  readonly candidate: Candidate;
  readonly due: Atomic;
}
export interface Selection {
  readonly offers: readonly Offer[];
  readonly considered: readonly Considered[];
}

export function select(
  candidates: readonly Candidate[],
  purse: Purse & { readonly tryAtMost: number },
  now: Instant,
): Selection {
  const offers: Offer[] = [];
  const order = ranked(candidates, purse, now);
  const judged = order.map((candidate) => {
    const verdict = suitable(candidate, purse, now);
    if ('excluded' in verdict) return consider(candidate, verdict, now);
    if (offers.length < purse.tryAtMost) offers.push({ candidate, due: verdict.due });
    return consider(candidate, undefined, now);
  });
  // Those that can be called are shown before those that cannot, each in their rank.
  const open = judged.filter(({ decision }) => decision === 'not-needed');
  const shut = judged.filter(({ decision }) => decision !== 'not-needed');
  return { offers, considered: [...open, ...shut].slice(0, CONSIDERED_MAX) };
}

/** A named agent is the only candidate, so nothing is considered. */
export function selectNamed(candidate: Candidate, purse: Purse, now: Instant): Offer | Excluded {
  const verdict = nameable(candidate, purse, now);
  return 'excluded' in verdict ? verdict : { candidate, due: verdict.due };
}

function consider(of: Candidate, excluded: Excluded | undefined, now: Instant): Considered {
  const price = askedPrice(of, now);
  return {
    listingId: of.listingId,
    name: of.name,
    access: of.access,
    ...defined({ price }),
    decision: excluded?.excluded ?? 'not-needed',
    why: excluded?.why ?? 'It could have been called; enough others came before it.',
  };
}

export function tried(
  considered: readonly Considered[],
  listingId: string,
  why: string,
): readonly Considered[] {
  return considered.map((each) =>
    each.listingId === listingId ? { ...each, decision: 'tried', why } : each,
  );
}
