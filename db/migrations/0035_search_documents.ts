import type { Migration } from '../migration.ts';

/**
 * The search index lives in memory (choices search.index): of it the database keeps the documents,
 * each with the number of the change that wrote it, so that every process reads what it lacks. A
 * document that is gone stays as a row without terms. The standing of a listing is searched for as
 * well, so a listing whose standing changes is queued too. The index is made again from what it is
 * about.
 */
export const searchDocuments: Migration = {
  name: '0035_search_documents',
  async up(knex, { dialect, int, text, strict }) {
    for (const table of ['postings', 'shortened', 'terms', 'documents', 'index']) {
      await knex.raw(`DROP TABLE search_${table}`);
    }
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
    // While the index loads, what has no parts is looked through.
    await knex.raw('CREATE INDEX search_documents_whole ON search_documents (seq) WHERE kind <> 1');
    await knex.raw(`
      CREATE TABLE search_index (
        id ${int} PRIMARY KEY CHECK (id = 1),
        seq ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('INSERT INTO search_index (id, seq) VALUES (1, 0)');
    const changed = ['name', 'description', 'host', 'skills_digest', 'answers', 'karma', 'reach'];
    const differs = changed.map((name) => `OLD.${name} IS DISTINCT FROM NEW.${name}`).join(' OR ');
    if (dialect === 'sqlite') {
      await knex.raw('DROP TRIGGER search_listings_update');
      await knex.raw(`CREATE TRIGGER search_listings_update AFTER UPDATE ON listings
        WHEN (${differs}) BEGIN
          INSERT INTO search_queue (kind, ref, stamp) VALUES ('listing', NEW.id, 1)
            ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1;
        END`);
    } else {
      await knex.raw('DROP TRIGGER search_listings_update ON listings');
      await knex.raw(`CREATE TRIGGER search_listings_update AFTER UPDATE ON listings FOR EACH ROW
        WHEN (${differs}) EXECUTE FUNCTION search_listings_update()`);
    }
    for (const kind of ['listing', 'task', 'comment']) {
      await knex.raw(`
        INSERT INTO search_queue (kind, ref, stamp) SELECT '${kind}', id, 1 FROM ${kind}s WHERE true
          ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1`);
    }
  },
};
