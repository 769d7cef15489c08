import type { Knex } from 'knex';
import type { Migration, DialectTypes } from '../migration.ts';

/**
 * Finding things: one inverted index in ordinary tables, so that both databases give the same
 * answer (choices search.index), introductions of callers, two indexes for the figures of earnings,
 * and the arguments of a tool in one line, so that lists read no schemas. A row that is written
 * queues itself for the index by a trigger: no writer can forget it, and none waits for it.
 */
export const search: Migration = {
  name: '0012_search',
  async up(knex, words) {
    await introductions(knex, words);
    await dictionary(knex, words);
    await documents(knex, words);
    await queue(knex, words);
    await figures(knex);
    await countedListings(knex);
    await knex.raw(`
      ALTER TABLE listing_skills ADD COLUMN argument_line ${words.text} NOT NULL DEFAULT ''`);
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

/** Words as they are searched for, in how many documents of each kind, and each less one letter. */
async function dictionary(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE search_terms (
      id ${int} PRIMARY KEY,
      term ${text} NOT NULL UNIQUE,
      agents ${int} NOT NULL,
      skills ${int} NOT NULL,
      tasks ${int} NOT NULL,
      comments ${int} NOT NULL
    ) ${strict}`);
  await knex.raw(`
    CREATE TABLE search_shortened (
      shortened ${text} NOT NULL,
      term_id ${int} NOT NULL,
      PRIMARY KEY (shortened, term_id)
    ) ${strictKeyed}`);
}

/**
 * `word` is four times the term's id plus the kind of document, so that a kind that has many
 * documents does not crowd out another. `terms` says which postings are a document's own.
 */
async function documents(
  knex: Knex,
  { int, text, strict, strictKeyed }: DialectTypes,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE search_documents (
      id ${int} PRIMARY KEY,
      kind ${int} NOT NULL CHECK (kind BETWEEN 0 AND 3),
      ref ${text} NOT NULL,
      part ${int} NOT NULL,
      digest ${text} NOT NULL,
      terms ${text} NOT NULL
    ) ${strict}`);
  await knex.raw('CREATE UNIQUE INDEX search_documents_of ON search_documents (ref, kind, part)');
  await knex.raw(`
    CREATE TABLE search_postings (
      word ${int} NOT NULL,
      document ${int} NOT NULL,
      weight ${int} NOT NULL CHECK (weight BETWEEN 1 AND 255),
      PRIMARY KEY (word, document)
    ) ${strictKeyed}`);
  await knex.raw(`
    CREATE INDEX search_postings_strong ON search_postings (word, weight DESC, document)
      WHERE weight >= 96`);
}

async function queue(knex: Knex, words: DialectTypes): Promise<void> {
  const { int, text, strictKeyed } = words;
  await knex.raw(`
    CREATE TABLE search_queue (
      kind ${text} NOT NULL CHECK (kind IN ('listing', 'task', 'comment')),
      ref ${text} NOT NULL,
      stamp ${int} NOT NULL,
      PRIMARY KEY (kind, ref)
    ) ${strictKeyed}`);
  const changed = ['name', 'description', 'host', 'skills_digest'];
  const triggers: readonly Trigger[] = [
    { kind: 'listing', table: 'listings', on: 'INSERT' },
    { kind: 'listing', table: 'listings', on: 'DELETE' },
    { kind: 'listing', table: 'listings', on: 'UPDATE', changed },
    { kind: 'task', table: 'tasks', on: 'INSERT' },
    { kind: 'comment', table: 'comments', on: 'INSERT' },
    { kind: 'comment', table: 'comments', on: 'UPDATE', changed: ['body'] },
  ];
  const make = words.dialect === 'sqlite' ? sqliteTrigger : postgresTrigger;
  for (const trigger of triggers) await make(knex, trigger);
}

interface Trigger {
  readonly kind: 'listing' | 'task' | 'comment';
  readonly table: string;
  readonly on: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly changed?: readonly string[];
}

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

/** The statistics of the index read these alone, not the rows. */
async function countedListings(knex: Knex): Promise<void> {
  await knex.raw(`CREATE INDEX listings_counted ON listings (availability, access, kind,
    quotes_x402, verified_open, skill_count, skills_priced, first_seen_at, missing_since)`);
  await knex.raw('CREATE INDEX listings_checked ON listings (last_checked_at)');
  await knex.raw(`CREATE INDEX listing_skills_probed ON listing_skills (access_checked_at)
    WHERE access_checked_at IS NOT NULL`);
}

/** What was paid for work, and when work ended: few rows of two tables that have many. */
async function figures(knex: Knex): Promise<void> {
  await knex.raw(`CREATE INDEX entries_earned ON entries (at)
    WHERE delta > 0 AND reason IN ('task.reward', 'task.fee.hub', 'task.fee.judges',
      'dispute.arbiter', 'bonus.welcome', 'call.charge')`);
  await knex.raw(`CREATE INDEX task_events_ended ON task_events (at)
    WHERE state IN ('paid', 'refunded', 'withdrawn', 'expired')`);
}
