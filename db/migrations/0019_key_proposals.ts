import type { Migration } from '../migration.ts';

/**
 * A key joins another account when both have signed (threats.key-hijack), so a proposal keeps who
 * signed it and when. Where a key acts is decided once, in `key_homes`: at its first use or when it
 * joins; a key without a row there may still join. Whatever was used before keeps where it acts.
 */
export const keyProposals: Migration = {
  name: '0019_key_proposals',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`ALTER TABLE key_proposals ADD COLUMN account_signed_by ${text}`);
    await knex.raw(`ALTER TABLE key_proposals ADD COLUMN account_signed_at ${int}`);
    await knex.raw(`ALTER TABLE key_proposals ADD COLUMN key_signed_at ${int}`);
    await knex.raw('CREATE INDEX key_proposals_key ON key_proposals (key_id)');
    await knex.raw(`
      CREATE TABLE key_homes (
        key_id ${text} PRIMARY KEY,
        account ${text} NOT NULL,
        settled_at ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw(`
      INSERT INTO key_homes (key_id, account, settled_at)
      SELECT key_id, account, bound_at FROM keys`);
    // Whoever was paid, or is named to be paid, without having signed.
    for (const [column, table] of [
      ['name', '(SELECT name FROM accounts WHERE seq > 0)'],
      ['payee', 'attempts'],
    ]) {
      await knex.raw(`
        INSERT INTO key_homes (key_id, account, settled_at)
        SELECT DISTINCT substr(${column}, 5), ${column}, 0 FROM ${table} AS named
        WHERE ${column} LIKE 'key:%'
        ON CONFLICT (key_id) DO NOTHING`);
    }
  },
};
