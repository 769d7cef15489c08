import type { Migration } from '../migration.ts';

/**
 * Decisions of the operator, which are never deleted (choices operator.moderation). The one row of
 * `moderation_head` numbers their changes under its lock, so a process reads each change once.
 */
export const moderation: Migration = {
  name: '0026_moderation',
  async up(knex, { int, text, strict, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE moderation_head (
        id ${int} PRIMARY KEY CHECK (id = 1),
        change ${int} NOT NULL
      ) ${strictKeyed}`);
    await knex.raw('INSERT INTO moderation_head (id, change) VALUES (1, 0)');
    await knex.raw(`
      CREATE TABLE moderation_decisions (
        id ${text} PRIMARY KEY,
        kind ${text} NOT NULL CHECK (kind IN ('ban', 'hide')),
        subject ${text} NOT NULL,
        subject_id ${text} NOT NULL,
        account ${text},
        reason ${text} NOT NULL,
        at ${int} NOT NULL,
        change ${int} NOT NULL UNIQUE,
        lifted_at ${int},
        appeal ${text},
        appealed_at ${int},
        answer ${text},
        answered_at ${int},
        CHECK ((kind = 'ban') = (subject = 'account')),
        CHECK ((appeal IS NULL) = (appealed_at IS NULL)),
        CHECK ((answer IS NULL) = (answered_at IS NULL))
      ) ${strict}`);
    await knex.raw(`
      CREATE UNIQUE INDEX moderation_standing ON moderation_decisions (subject, subject_id)
        WHERE lifted_at IS NULL`);
    await knex.raw(`
      CREATE INDEX moderation_account ON moderation_decisions (account, id)
        WHERE account IS NOT NULL`);
    await knex.raw(`
      CREATE INDEX moderation_appeals ON moderation_decisions (id)
        WHERE appeal IS NOT NULL`);
  },
};
