import type { Migration } from '../migration.ts';

const SEARCHED = { listing: 'listings', task: 'tasks', comment: 'comments' };

/**
 * MCP servers that a feed lists as packages alone (choices registry.packages). Documents get the
 * terms of other languages from the same release on (choices search.languages), so all are queued.
 */
export const serverPackages: Migration = {
  name: '0064_server_packages',
  async up(knex, { dialect, int, text, strict }) {
    await knex.raw(`
      CREATE TABLE server_packages (
        id ${text} PRIMARY KEY,
        feed ${text} NOT NULL,
        name ${text} NOT NULL,
        version ${text} NOT NULL,
        title ${text} NOT NULL,
        description ${text} NOT NULL,
        publisher ${text} NOT NULL,
        proof ${text} NOT NULL CHECK (proof IN ('github', 'domain')),
        registry_type ${text} NOT NULL,
        identifier ${text} NOT NULL,
        signals ${int} NOT NULL,
        name_key ${text} NOT NULL,
        text_key ${text},
        stands_under ${text},
        digest ${text} NOT NULL,
        first_at ${int} NOT NULL
      ) ${strict}`);
    await knex.raw('CREATE UNIQUE INDEX server_packages_name ON server_packages (feed, name)');
    for (const key of ['publisher', 'name_key', 'text_key', 'identifier']) {
      await knex.raw(`CREATE INDEX server_packages_${key} ON server_packages (${key})`);
    }
    for (const on of ['INSERT', 'UPDATE', 'DELETE']) {
      const row = on === 'DELETE' ? 'OLD' : 'NEW';
      const name = `search_server_packages_${on.toLowerCase()}`;
      const queued = `INSERT INTO search_queue (kind, ref, stamp) VALUES ('listing', ${row}.id, 1)
        ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1;`;
      if (dialect === 'sqlite') {
        await knex.raw(`CREATE TRIGGER ${name} AFTER ${on} ON server_packages BEGIN ${queued} END`);
        continue;
      }
      await knex.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN ${queued} RETURN NULL; END $$`);
      await knex.raw(`CREATE TRIGGER ${name} AFTER ${on} ON server_packages FOR EACH ROW
        EXECUTE FUNCTION ${name}()`);
    }
    for (const [kind, table] of Object.entries(SEARCHED)) {
      await knex.raw(`
        INSERT INTO search_queue (kind, ref, stamp) SELECT '${kind}', id, 1 FROM ${table} WHERE true
          ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1`);
    }
  },
};
