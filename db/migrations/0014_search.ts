import type { Knex } from 'knex';
import type { DialectTypes, Migration } from '../migration.ts';

/**
 * Search (choices search.index). The index is in memory. The database stores its documents, each
 * with the number of the change that wrote it, so that every process reads the changes that it
 * lacks. A deleted document stays as a row without terms. Triggers queue every written row for the
 * index, so no writer can forget it and none waits for it.
 */
export const search: Migration = {
  name: '0014_search',
  async up(knex, words) {
    await introductions(knex, words);
    await documents(knex, words);
    await queue(knex, words);
  },
};

async function introductions(knex: Knex, { int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE introductions (
      address ${text} PRIMARY KEY,
      at ${int} NOT NULL,
      until ${int} NOT NULL,
      said ${text} NOT NULL
    ) ${strictKeyed}`);
  await knex.raw('CREATE INDEX introductions_until ON introductions (until)');
}

async function documents(knex: Knex, { int, text, strict }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE search_documents (
      seq ${int} PRIMARY KEY,
      kind ${int} NOT NULL CHECK (kind BETWEEN 0 AND 3),
      ref ${text} NOT NULL,
      part ${int} NOT NULL,
      digest ${text} NOT NULL,
      terms ${text} NOT NULL,
      answers ${int} NOT NULL,
      karma ${int} NOT NULL,
      reach ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE UNIQUE INDEX search_documents_of ON search_documents (ref, kind, part)');
  // While the index loads, documents without parts are scanned.
  await knex.raw('CREATE INDEX search_documents_whole ON search_documents (seq) WHERE kind <> 1');
  await knex.raw(`
    CREATE TABLE search_index (
      id ${int} PRIMARY KEY CHECK (id = 1),
      seq ${int} NOT NULL
    ) ${strict}`);
  await knex.raw('INSERT INTO search_index (id, seq) VALUES (1, 0)');
}

async function queue(knex: Knex, { dialect, int, text, strictKeyed }: DialectTypes): Promise<void> {
  await knex.raw(`
    CREATE TABLE search_queue (
      kind ${text} NOT NULL CHECK (kind IN ('listing', 'task', 'comment')),
      ref ${text} NOT NULL,
      stamp ${int} NOT NULL,
      PRIMARY KEY (kind, ref)
    ) ${strictKeyed}`);
  const make = dialect === 'sqlite' ? sqliteTrigger : postgresTrigger;
  for (const trigger of TRIGGERS) await make(knex, trigger);
}

interface Trigger {
  readonly kind: 'listing' | 'task' | 'comment';
  readonly table: string;
  readonly on: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly changed?: readonly string[];
}

/** Columns of a listing that its document is made of or ranked by. */
const LISTING = ['name', 'description', 'host', 'skills_digest', 'answers', 'karma', 'reach'];
const TRIGGERS: readonly Trigger[] = [
  { kind: 'listing', table: 'listings', on: 'INSERT' },
  { kind: 'listing', table: 'listings', on: 'DELETE' },
  { kind: 'listing', table: 'listings', on: 'UPDATE', changed: LISTING },
  { kind: 'task', table: 'tasks', on: 'INSERT' },
  { kind: 'comment', table: 'comments', on: 'INSERT' },
  { kind: 'comment', table: 'comments', on: 'UPDATE', changed: ['body'] },
];

function queued(kind: string, row: string): string {
  return `INSERT INTO search_queue (kind, ref, stamp) VALUES ('${kind}', ${row}.id, 1)
    ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1;`;
}

function when({ changed = [] }: Trigger): string {
  const differs = changed.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`);
  return differs.length === 0 ? '' : `WHEN (${differs.join(' OR ')})`;
}

function rowOf({ on }: Trigger): string {
  return on === 'DELETE' ? 'OLD' : 'NEW';
}

async function sqliteTrigger(knex: Knex, trigger: Trigger): Promise<void> {
  const { kind, table, on } = trigger;
  await knex.raw(`CREATE TRIGGER search_${table}_${on.toLowerCase()} AFTER ${on} ON ${table}
    ${when(trigger)} BEGIN ${queued(kind, rowOf(trigger))} END`);
}

async function postgresTrigger(knex: Knex, trigger: Trigger): Promise<void> {
  const { kind, table, on } = trigger;
  const name = `search_${table}_${on.toLowerCase()}`;
  await knex.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${queued(kind, rowOf(trigger))} RETURN NULL; END $$`);
  await knex.raw(`CREATE TRIGGER ${name} AFTER ${on} ON ${table} FOR EACH ROW
    ${when(trigger)} EXECUTE FUNCTION ${name}()`);
}
