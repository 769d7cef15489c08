import { addEffect } from '../effect.ts';
import type { Migration } from '../migration.ts';

/**
 * Reads the rows of accounts and locks them; rows that a transfer pays into are made first, in the
 * same function, so that a batch with a new receiver has no commit of its own (choices
 * ledger.locks). The last cell says that this reading made the row. What was made for a transfer
 * that was then refused is deleted again with the write of the batch.
 */
export const receivers: Migration = {
  name: '0057_receivers',
  async up(knex, words) {
    await addEffect(knex, words, {
      name: 'accounts_unmade',
      statement: (rows) =>
        `DELETE FROM accounts WHERE id IN (SELECT $0:int FROM ${rows}) AND seq = 0`,
    });
    if (words.dialect !== 'postgres') return;
    await knex.raw(`
      CREATE FUNCTION accounts_for_batch (keys jsonb) RETURNS text LANGUAGE plpgsql AS $$
      DECLARE
        made bigint[];
        found text;
      BEGIN
        WITH missing AS (
          INSERT INTO accounts (network, asset, name, class, shard, posted, held, seq)
          SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, k.value ->> 4,
            (k.value ->> 3)::bigint, 0, 0, 0
          FROM jsonb_array_elements(keys) AS k (value)
          WHERE k.value ->> 4 IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM accounts AS a
            WHERE a.network = k.value ->> 0 AND a.asset = k.value ->> 1
              AND a.name = k.value ->> 2 AND a.shard = (k.value ->> 3)::bigint)
          ORDER BY k.value ->> 4, k.value ->> 0, k.value ->> 2, (k.value ->> 3)::bigint
          ON CONFLICT (network, asset, name, shard) DO NOTHING
          RETURNING id)
        SELECT array_agg(id) INTO made FROM missing;
        SELECT json_agg(json_build_array(a.network, a.asset, a.name, a.shard, a.id, a.posted,
          a.held, a.seq, coalesce(a.id = ANY (made), false)))::text INTO found
        FROM (
          SELECT * FROM accounts WHERE (network, asset, name, shard) IN (
            SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, (k.value ->> 3)::bigint
            FROM jsonb_array_elements(keys) AS k (value))
          ORDER BY CASE WHEN class = 'user' THEN 0 WHEN name LIKE 'hub:pot:%' THEN 1
                        WHEN class = 'hub' THEN 2 ELSE 3 END, id
          FOR NO KEY UPDATE) AS a;
        RETURN found;
      END $$`);
  },
};
