import { amount, moment, text } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';
import { CALLS } from './calls.ts';

/** The newest live quote of each operation of a listing. */
export const CALL_QUOTES = table(
  'call_quotes',
  {
    listingId: text().key(),
    operation: text().key(),
    amount: amount(),
    asset: text(),
    quotedOn: text().optional(),
    payTo: text().optional(),
    at: moment(),
  },
  {
    personal: { apart: 'prices of listings, about no account' },
    under: [CALLS],
    after: [ACCOUNTS],
  },
);
