import type { Migration } from '../migration.ts';

/**
 * Spending policies of keys (choices wallet.policies). A row belongs to a key in one account, since
 * any account may name any key. A commitment that a key with a row took remembers the key and when it
 * was counted, so that what comes back reduces the same window.
 */
export const policies: Migration = {
  name: '0031_policies',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE key_policies (
        key_id ${text} NOT NULL,
        account ${text} NOT NULL,
        policy ${text},
        set_by ${text} NOT NULL,
        set_at ${int} NOT NULL,
        revoked_at ${int},
        revoked_by ${text},
        spent_at ${int} NOT NULL,
        hour_used ${int} NOT NULL CHECK (hour_used >= 0),
        day_used ${int} NOT NULL CHECK (day_used >= 0),
        month_used ${int} NOT NULL CHECK (month_used >= 0),
        refused_at ${int},
        revision ${int} NOT NULL,
        PRIMARY KEY (key_id, account),
        CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX key_policies_account ON key_policies (account)');
    await knex.raw(`
      CREATE TABLE key_approvals (
        account ${text} NOT NULL,
        key_id ${text} NOT NULL,
        digest ${text} NOT NULL,
        id ${text} NOT NULL UNIQUE,
        operation ${text} NOT NULL,
        request ${text} NOT NULL,
        amount ${int} NOT NULL CHECK (amount > 0),
        network ${text} NOT NULL,
        state ${text} NOT NULL CHECK (state IN ('open', 'approved', 'rejected', 'used')),
        asked_at ${int} NOT NULL,
        expires_at ${int} NOT NULL,
        decided_at ${int},
        decided_by ${text},
        PRIMARY KEY (account, key_id, digest)
      ) ${strictKeyed}`);
    await knex.raw('CREATE INDEX key_approvals_expiry ON key_approvals (expires_at)');
    await knex.raw(`ALTER TABLE api_keys ADD COLUMN minted_by ${text}`);
    await knex.raw(`ALTER TABLE commitments ADD COLUMN spender ${text}`);
    await knex.raw(`ALTER TABLE commitments ADD COLUMN spent_at ${int}`);
  },
};
