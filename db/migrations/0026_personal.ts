import type { Migration } from '../migration.ts';

/** Indexes by which an account's own rows are exported and erased (choices operator.personal). */
export const personal: Migration = {
  name: '0026_personal',
  async up(knex) {
    await knex.raw('CREATE INDEX comments_author ON comments (author, id)');
    await knex.raw('CREATE INDEX pitches_worker ON pitches (worker, id)');
    await knex.raw('CREATE INDEX disputes_raised_by ON disputes (raised_by, task_id)');
    await knex.raw('CREATE INDEX loans_borrower ON loans (borrower, id)');
    await knex.raw('CREATE INDEX reviews_reviewer ON reviews (reviewer, id)');
    await knex.raw('CREATE INDEX listing_reports_reporter ON listing_reports (reporter, id)');
    await knex.raw('CREATE INDEX hosted_calls_caller ON hosted_calls (caller, id)');
    await knex.raw('CREATE INDEX notes_author ON notes (author, no)');
    await knex.raw('CREATE INDEX markets_creator ON markets (creator, id)');
    await knex.raw('CREATE INDEX market_bets_account ON market_bets (account, market_id, version)');
    await knex.raw(
      'CREATE INDEX deposit_addresses_account ON deposit_addresses (account, network)',
    );
    await knex.raw('CREATE INDEX payout_addresses_account ON payout_addresses (account, network)');
  },
};
