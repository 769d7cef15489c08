import type { Instant } from '../../domain/instant.ts';
import { integer, moment } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import { linkOf, statement, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/**
 * Changes of the registry's totals, to count as of a past moment (choices predictions.checks). The
 * time is that of the write, not of the look: a slow agent could otherwise choose its past.
 */
export const LISTING_COUNTS = table(
  'listing_counts',
  {
    id: integer().numbered(),
    at: moment(),
    listed: integer(),
    live: integer(),
    x402: integer(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Counted = Omit<RowIn<typeof LISTING_COUNTS>, 'id' | 'at'>;

const INSERT = statement(LISTING_COUNTS.insertion);

export async function noteCounts(tx: Writer, change: Counted, at: Instant): Promise<void> {
  const { listed, live, x402 } = change;
  if (listed === 0 && live === 0 && x402 === 0) return;
  await linkOf(tx).rows(INSERT, LISTING_COUNTS.cells({ id: 0, at, ...change }));
}

export function counted(
  listings: readonly { readonly live: boolean; readonly x402: boolean }[],
): Counted {
  return {
    listed: listings.length,
    live: listings.filter(({ live }) => live).length,
    x402: listings.filter(({ x402 }) => x402).length,
  };
}

export function less(after: Counted, before: Counted): Counted {
  return {
    listed: after.listed - before.listed,
    live: after.live - before.live,
    x402: after.x402 - before.x402,
  };
}

const RETIRE = statement('DELETE FROM listing_counts WHERE at < ?');

/** Drops changes that no market asks about any more. */
export async function retireCounts(tx: Writer, before: Instant): Promise<void> {
  await linkOf(tx).rows(RETIRE, [before]);
}
