import pg from 'pg';
import { startPostgres } from '../../harness/postgres.ts';
import { hubSearch } from './memoryHub.ts';
import { plainSearch } from './memoryPeers.ts';
import { raceSearches, random } from './memoryRace.ts';
import type { SearchPeer } from './memoryPeer.ts';

/**
 * The hub's exact search on PostgreSQL against pgvector's on the same server. The one argument is
 * the folder of the programs of a PostgreSQL with pgvector.
 */
const [, , programs = ''] = process.argv;
const K = 20;
const DIMENSIONS = 768;
const ROWS_AT_ONCE = 100;

interface Way {
  readonly operator: '<=>' | '<#>';
  /** The rows lie in the table itself; PostgreSQL's own choice is beside it, in pieces. */
  readonly storage: 'plain' | 'external';
  /** Processes of the server that share one search. */
  readonly workers: number;
}

const WAYS: Readonly<Record<string, Way>> = {
  'pgvector as it comes': { operator: '<=>', storage: 'external', workers: 0 },
  'pgvector, rows in the table': { operator: '<=>', storage: 'plain', workers: 0 },
  'the same, by the product': { operator: '<#>', storage: 'plain', workers: 0 },
  'the same, two workers': { operator: '<#>', storage: 'plain', workers: 2 },
};

async function pgvector(
  url: string,
  name: string,
  vectors: readonly Float32Array[],
  { operator, storage, workers }: Way,
): Promise<SearchPeer> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `CREATE TABLE ${name} (no integer PRIMARY KEY, embedding vector(${DIMENSIONS}))`,
  );
  await client.query(`ALTER TABLE ${name} ALTER embedding SET STORAGE ${storage}`);
  const text = (vector: Float32Array): string => `[${vector.join(',')}]`;
  for (let from = 0; from < vectors.length; from += ROWS_AT_ONCE) {
    const rows = vectors.slice(from, from + ROWS_AT_ONCE);
    const marks = rows.map((_, n) => `(${from + n}, $${n + 1})`).join(', ');
    await client.query(`INSERT INTO ${name} VALUES ${marks}`, rows.map(text));
  }
  await client.query(`VACUUM ANALYZE ${name}`);
  await client.query(`SET max_parallel_workers_per_gather = ${workers}`);
  if (workers > 0) {
    await client.query(`ALTER TABLE ${name} SET (parallel_workers = ${workers})`);
    await client.query('SET parallel_setup_cost = 0');
    await client.query('SET parallel_tuple_cost = 0');
  }
  const nearest = `SELECT no FROM ${name} ORDER BY embedding ${operator} $1::vector LIMIT ${K}`;
  const change = `UPDATE ${name} SET embedding = $1 WHERE no = $2`;
  return {
    async search(query) {
      const { rows } = await client.query<{ no: number }>({
        name: 'nearest',
        text: nearest,
        values: [text(query)],
      });
      return rows.map(({ no }) => no);
    },
    async write(no, vector) {
      await client.query({ name: 'change', text: change, values: [text(vector), no] });
    },
    close: () => client.end(),
  };
}

async function compare(notes: number, freshDatabase: () => Promise<string>): Promise<void> {
  const vectors = Array.from({ length: notes }, random);
  const own = await freshDatabase();
  const owner = new pg.Client({ connectionString: own });
  await owner.connect();
  await owner.query('CREATE EXTENSION vector');
  const version = await owner.query<{ is: string }>(
    `SELECT 'PostgreSQL ' || current_setting('server_version') || ', pgvector ' || extversion AS is
      FROM pg_extension WHERE extname = 'vector'`,
  );
  await owner.end();
  console.log(version.rows[0]?.is);
  const peers: Record<string, SearchPeer> = {
    hub: await hubSearch(await freshDatabase(), vectors),
    'plain loop': plainSearch(vectors),
  };
  for (const [n, [name, way]] of Object.entries(WAYS).entries()) {
    peers[name] = await pgvector(own, `notes_${n}`, vectors, way);
  }
  await raceSearches(notes, peers);
  for (const peer of Object.values(peers)) await peer.close();
}

// A table above a quarter of the buffers would be copied into them again by every search.
const server = await startPostgres(true, { programs, settings: ['shared_buffers=512MB'] });
try {
  for (const notes of [1_000, 10_000]) await compare(notes, () => server.freshDatabase());
} finally {
  await server.stop();
}
