import type { Migration } from '../migration.ts';

/** Indexes by which an account's own rows are exported and erased (choices operator.personal). */
const INDEXES = [
  'comments_author ON comments (author, id)',
  'pitches_worker ON pitches (worker, id)',
  'disputes_raised_by ON disputes (raised_by, task_id)',
  'loans_borrower ON loans (borrower, id)',
  'reviews_reviewer ON reviews (reviewer, id)',
  'listing_reports_reporter ON listing_reports (reporter, id)',
  'hosted_calls_caller ON hosted_calls (caller, id)',
  'notes_author ON notes (author, no)',
  'markets_creator ON markets (creator, id)',
  'market_bets_account ON market_bets (account, market_id, version)',
  'deposit_addresses_account ON deposit_addresses (account, network)',
  'payout_addresses_account ON payout_addresses (account, network)',
];

export const personal: Migration = {
  name: '0027_personal',
  indexes: INDEXES.map((place) => ({ name: place.split(' ')[0] ?? '', sql: `INDEX ${place}` })),
};
