import type { Knex } from 'knex';
import { addEffect, inserting, type Effect } from '../effect.ts';
import type { Migration } from '../migration.ts';

/**
 * Less asking: PostgreSQL looks for the parents of journal entries once for each statement, and a
 * note is written by a declared unit (choices store.declared).
 */
export const fewerTrips: Migration = {
  name: '0045_fewer_trips',
  async up(knex, words) {
    if (words.dialect === 'postgres') await parentsByStatement(knex);
    for (const effect of NOTE_EFFECTS) await addEffect(knex, words, effect);
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

/** What a written note changes; an update names the state that it was decided on. */
const SPACE_CHANGED: Effect = {
  name: 'memory_spaces_changed',
  statement: (rows) => `UPDATE memory_spaces SET notes = $1:int, embedded = $2:int, words = $3:int,
      bytes = $4:int, changes = $5:int
    FROM ${rows} WHERE memory_spaces.no = $0:int AND memory_spaces.changes = $6:int`,
};
const STORAGE_CHANGED: Effect = {
  name: 'memory_accounts_changed',
  statement: (rows) => `UPDATE memory_accounts SET notes = $1:int, note_bytes = $2:int,
      notes_written = $3:int, settled_day = $4:int
    FROM ${rows} WHERE memory_accounts.account = $0 AND memory_accounts.notes = $5:int
      AND memory_accounts.note_bytes = $6:int AND memory_accounts.notes_written = $7:int
      AND memory_accounts.settled_day = $8:int AND memory_accounts.file_bytes = $9:int
      AND memory_accounts.read_only = 0`,
};
/** One row for a note, with its words as JSON text. */
const NOTE_WORDS: Effect = {
  name: 'note_words',
  statement: (rows, dialect) =>
    dialect === 'sqlite'
      ? `INSERT INTO note_words (space, stem, whole, note, count)
          SELECT $1:int, w.value ->> 0, w.value ->> 1, n.no, w.value ->> 2
          FROM ${rows} CROSS JOIN notes AS n ON n.id = $0 CROSS JOIN json_each($2) AS w`
      : `INSERT INTO note_words (space, stem, whole, note, count)
          SELECT n.space, w.value ->> 0, w.value ->> 1, n.no, (w.value ->> 2)::bigint
          FROM (SELECT $1:int AS space, (SELECT no FROM notes WHERE id = $0) AS no, $2 AS words
            FROM ${rows}) AS n CROSS JOIN LATERAL jsonb_array_elements(n.words::jsonb) AS w (value)`,
  hits: (rows, dialect) =>
    `(SELECT sum(json${dialect === 'sqlite' ? '' : 'b'}_array_length(${
      dialect === 'sqlite' ? '$2' : '$2::jsonb'
    })) FROM ${rows})`,
};
const NOTE_EFFECTS: readonly Effect[] = [
  SPACE_CHANGED,
  inserting('memory_accounts', [
    ['account', 'text'],
    ['spaces', 'int'],
    ['notes', 'int'],
    ['note_bytes', 'int'],
    ['notes_written', 'int'],
    ['files', 'int'],
    ['file_bytes', 'int'],
    ['settled_day', 'int'],
    ['paid_day', 'int'],
    ['read_only', 'int'],
  ]),
  STORAGE_CHANGED,
  inserting('notes', [
    ['id', 'text'],
    ['space', 'int'],
    ['author', 'text'],
    ['key', 'text'],
    ['content', 'text'],
    ['embedding', 'text'],
    ['digest', 'text'],
    ['bytes', 'int'],
    ['words', 'int'],
    ['changed', 'int'],
    ['at', 'int'],
  ]),
  NOTE_WORDS,
];
