import type { Knex } from 'knex';
import { serverJson } from '../../domain/registry/serverJson.ts';
import type { Migration } from '../migration.ts';

/**
 * MCP servers as the registry API of MCP lists them (choices registry.mcp-registry): one row for
 * each version that was seen, with the text of its `server.json`. The columns that lists filter by
 * are in the index, so a page reads no other rows.
 */
export const mcpServers: Migration = {
  name: '0180_mcp_servers',
  async up(knex, { int, text, strictKeyed }) {
    await knex.raw(`
      CREATE TABLE mcp_servers (
        name ${text} NOT NULL,
        version ${text} NOT NULL,
        listing_id ${text} NOT NULL,
        server ${text} NOT NULL,
        is_latest ${int} NOT NULL,
        listed ${int} NOT NULL,
        live ${int} NOT NULL,
        access ${text} NOT NULL,
        published_at ${int} NOT NULL,
        updated_at ${int} NOT NULL,
        PRIMARY KEY (name, version)
      ) ${strictKeyed}`);
    await knex.raw(`
      CREATE INDEX mcp_servers_listed
        ON mcp_servers (listed, name, version, is_latest, live, access)`);
    await knex.raw(`
      CREATE INDEX mcp_servers_updated ON mcp_servers (updated_at, name, version)`);
    await knex.raw('CREATE INDEX mcp_servers_listing ON mcp_servers (listing_id, is_latest)');
    await fill(knex);
  },
};

interface Before {
  readonly id: string;
  readonly endpoint: string;
  readonly host: string;
  readonly transport: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: string | null;
  readonly documentation_url: string | null;
  readonly answers: number | string;
  readonly availability: string;
  readonly access: string;
  readonly first_seen_at: number | string;
  readonly changed_at: number | string;
}

/** Listings that are read at a time. */
const STEP = 200;

/** Of the listings that are there already. */
async function fill(knex: Knex): Promise<void> {
  for (let after = ''; ;) {
    const found = await knex<Before>('listings')
      .where('kind', 'mcp')
      .where('id', '>', after)
      .orderBy('id')
      .limit(STEP);
    const rows = found.flatMap(rowOf);
    if (rows.length > 0) await knex('mcp_servers').insert(rows).onConflict().ignore();
    const last = found.at(-1);
    if (last === undefined || found.length < STEP) return;
    after = last.id;
  }
}

function rowOf(row: Before) {
  const { description, version, documentation_url } = row;
  const made = serverJson({
    endpoint: row.endpoint,
    host: row.host,
    transport: row.transport,
    name: row.name,
    ...(description !== null && { description }),
    ...(version !== null && { version }),
    ...(documentation_url !== null && { documentationUrl: documentation_url }),
  });
  if (made === undefined) return [];
  return [
    {
      name: made.name,
      version: made.version,
      listing_id: row.id,
      server: made.text,
      is_latest: 1,
      listed: Number(row.answers),
      live: row.availability === 'live' ? 1 : 0,
      access: row.access,
      published_at: Number(row.first_seen_at),
      updated_at: Number(row.changed_at),
    },
  ];
}
