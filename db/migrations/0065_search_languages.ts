import type { Migration } from '../migration.ts';

/** Documents get the terms of other languages (choices search.languages), so all are indexed again. */
export const searchLanguages: Migration = {
  name: '0065_search_languages',
  async up(knex) {
    for (const [kind, table] of [
      ['listing', 'listings'],
      ['task', 'tasks'],
      ['comment', 'comments'],
    ] as const) {
      await knex.raw(`
        INSERT INTO search_queue (kind, ref, stamp) SELECT '${kind}', id, 1 FROM ${table} WHERE true
          ON CONFLICT (kind, ref) DO UPDATE SET stamp = search_queue.stamp + 1`);
    }
  },
};
