import type { Knex } from 'knex';
import type { Migration } from '../migration.ts';

/** PostgreSQL looks for the parents of journal entries once for each statement. */
export const fewerTrips: Migration = {
  name: '0045_fewer_trips',
  async up(knex, words) {
    if (words.dialect === 'postgres') await parentsByStatement(knex);
  },
};

/**
 * A foreign key asks twice for each row, and a settlement of 2,000 bettors writes 6,000 of them.
 * What the keys refused is refused as before (choices store.postgres). SQLite looks a parent up in
 * its own thread and keeps the keys.
 */
async function parentsByStatement(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE entries DROP CONSTRAINT entries_account_id_fkey,
    DROP CONSTRAINT entries_transfer_seq_fkey`);
  // A subquery as a value is asked by index for each row; an EXISTS may be planned as a join over
  // all accounts, and the plan is kept.
  const parents = `FROM added e
    WHERE (SELECT 1 FROM accounts WHERE id = e.account_id) IS NULL
      OR (SELECT 1 FROM transfers WHERE seq = e.transfer_seq) IS NULL`;
  await knex.raw(asked('entries_parents', 'entries', 'INSERT', parents));
  for (const [table, key, column] of PARENTS) {
    const used = `FROM gone g
      WHERE (SELECT 1 FROM entries WHERE ${column} = g.${key} LIMIT 1) IS NOT NULL`;
    await knex.raw(asked(`${table}_entries`, table, 'DELETE', used));
  }
  await knex.raw(FIXED);
  // The place for what a settlement writes back beside the stake: no index has to follow then.
  await knex.raw('ALTER TABLE market_positions SET (fillfactor = 50)');
}

const PARENTS = [
  ['accounts', 'id', 'account_id'],
  ['transfers', 'seq', 'transfer_seq'],
] as const;

/** Refuses a statement, like a foreign key, when the question has an answer. */
function asked(name: string, table: string, event: 'INSERT' | 'DELETE', question: string): string {
  const rows = event === 'INSERT' ? 'NEW TABLE AS added' : 'OLD TABLE AS gone';
  return `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${question};
      IF FOUND THEN
        RAISE foreign_key_violation
          USING MESSAGE = 'an entry has an account and a transfer', CONSTRAINT = '${name}';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${name} AFTER ${event} ON ${table} REFERENCING ${rows}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`;
}

/** The numbers of parents are the database's own and never change; those in entries do not either. */
const FIXED = `
  CREATE FUNCTION entries_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE foreign_key_violation
      USING MESSAGE = 'an entry stays with its account and transfer', CONSTRAINT = 'entries_fixed';
  END $$;
  CREATE TRIGGER entries_fixed BEFORE UPDATE OF account_id, transfer_seq ON entries
    FOR EACH ROW EXECUTE FUNCTION entries_fixed()`;
