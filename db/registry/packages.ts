import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PublisherProof, ServerPackage } from '../../domain/registry/serverPackage.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkInsert, bulkRows } from './bulk.ts';
import { retireServers, saveServerRows } from './servers.ts';

/** Servers that a feed lists as packages alone; their `server.json` is in `mcp_servers`. */
export const SERVER_PACKAGES = table(
  'server_packages',
  {
    id: columns.text().key(),
    feed: columns.text(),
    name: columns.text(),
    version: columns.text(),
    title: columns.text(),
    description: columns.text(),
    publisher: columns.text(),
    proof: columns.text<PublisherProof>(),
    registryType: columns.text(),
    identifier: columns.text(),
    signals: columns.integer(),
    nameKey: columns.text(),
    textKey: columns.text().optional(),
    /** An older package or listing of another publisher with the same name, text or package. */
    standsUnder: columns.text().optional(),
    digest: columns.text(),
    firstAt: columns.moment().fixed(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type PackageRow = RowIn<typeof SERVER_PACKAGES>;

export interface KnownPackage {
  readonly id: string;
  readonly feed: string;
  readonly digest: string;
  readonly standsUnder: string | undefined;
  readonly firstAt: Instant;
}

const KNOWN = inListStatement(
  (given) => `SELECT id, feed, digest, stands_under, first_at FROM server_packages
    WHERE id ${given}`,
);
const COUNTS = inListStatement(
  (given) => `SELECT publisher, count(*) AS n FROM server_packages
    WHERE publisher ${given} GROUP BY publisher`,
);

/** Those of these packages that are stored, and how many each publisher has. */
export async function knownPackages(
  db: Reader,
  packages: readonly ServerPackage[],
): Promise<{
  readonly known: ReadonlyMap<string, KnownPackage>;
  readonly counts: ReadonlyMap<string, number>;
}> {
  const link = linkOf(db);
  const known = await link.rows(KNOWN, [packages.map(({ id }) => id)]);
  const publishers = [...new Set(packages.map(({ publisher }) => publisher))];
  const counts = await link.rows(COUNTS, [publishers]);
  return {
    known: new Map(
      known.map((row) => [
        column.text(row, 'id'),
        {
          id: column.text(row, 'id'),
          feed: column.text(row, 'feed'),
          digest: column.text(row, 'digest'),
          standsUnder: column.textOrNull(row, 'stands_under') ?? undefined,
          firstAt: column.time(row, 'first_at'),
        },
      ]),
    ),
    counts: new Map(counts.map((row) => [column.text(row, 'publisher'), column.whole(row, 'n')])),
  };
}

/** Another package is compared with it; a listing has a name alone. */
export type Original = Pick<
  ServerPackage,
  'id' | 'publisher' | 'nameKey' | 'textKey' | 'identifier'
>;

const ORIGINALS_MAX = 5_000;
const BY_KEY = (name: string) =>
  inListStatement(
    (given) => `SELECT id, publisher, name_key, text_key, identifier FROM server_packages
      WHERE stands_under IS NULL AND ${name} ${given} ORDER BY first_at, id LIMIT ${ORIGINALS_MAX}`,
  );
const BY_NAME = BY_KEY('name_key');
const BY_TEXT = BY_KEY('text_key');
const BY_IDENTIFIER = BY_KEY('identifier');
const LISTED = inListStatement(
  (given) => `SELECT id, name_key FROM listings
    WHERE stands_under IS NULL AND name_key ${given} ORDER BY first_seen_at, id
    LIMIT ${ORIGINALS_MAX}`,
);

/** Listings and packages that packages of these keys may imitate, those that were first before. */
export async function originalsOf(
  db: Reader,
  keys: {
    readonly names: readonly string[];
    readonly texts: readonly string[];
    readonly identifiers: readonly string[];
  },
): Promise<readonly Original[]> {
  const link = linkOf(db);
  const listed = await link.rows(LISTED, [keys.names]);
  const packages = [
    ...(await link.rows(BY_NAME, [keys.names])),
    ...(await link.rows(BY_TEXT, [keys.texts])),
    ...(await link.rows(BY_IDENTIFIER, [keys.identifiers])),
  ];
  return [
    ...listed.map((row) => ({
      id: column.text(row, 'id'),
      publisher: '',
      nameKey: column.text(row, 'name_key'),
      identifier: '',
    })),
    ...packages.map((row) => ({
      id: column.text(row, 'id'),
      publisher: column.text(row, 'publisher'),
      nameKey: column.text(row, 'name_key'),
      ...defined({ textKey: column.textOrNull(row, 'text_key') ?? undefined }),
      identifier: column.text(row, 'identifier'),
    })),
  ];
}

const SAVE = bulkInsert(SERVER_PACKAGES, {
  key: ['id'],
  update: [SERVER_PACKAGES.replacement],
});

/** Names that are made of addresses which the crawler asked; those stay theirs. */
const TAKEN = inListStatement(
  (given) => `SELECT DISTINCT name FROM mcp_servers
    WHERE listing_id NOT LIKE 'pkg-%' AND name ${given}`,
);

/** Stores packages and the records of the sub-registry that pass them on as they were. */
export async function savePackages(
  tx: Writer,
  packages: readonly { readonly row: PackageRow; readonly server: string }[],
  now: Instant,
): Promise<void> {
  if (packages.length === 0) return;
  await linkOf(tx).rows(SAVE, [
    bulkRows(
      SERVER_PACKAGES,
      packages.map(({ row }) => row),
    ),
  ]);
  const taken = await linkOf(tx).rows(TAKEN, [packages.map(({ row }) => row.name)]);
  const ofListings = new Set(taken.map((row) => column.text(row, 'name')));
  const passedOn = packages.filter(({ row }) => !ofListings.has(row.name));
  const servers = passedOn.map(({ row, server }) => ({
    name: row.name,
    version: row.version,
    listingId: row.id,
    server,
    isLatest: true,
    listed: true,
    live: false,
    access: '',
    publishedAt: now,
    updatedAt: now,
  }));
  await saveServerRows(tx, servers, now);
}

const DROP = inListStatement(
  (given) => `DELETE FROM server_packages WHERE feed = ? AND name ${given} RETURNING id`,
);
const DROP_ALL = statement('DELETE FROM server_packages WHERE feed = ? RETURNING id');

/** Takes packages of a feed off the lists, all of them without names. */
export async function dropPackages(
  tx: Writer,
  feed: string,
  names: readonly string[] | undefined,
  now: Instant,
): Promise<void> {
  if (names?.length === 0) return;
  const link = linkOf(tx);
  const rows =
    names === undefined ? await link.rows(DROP_ALL, [feed]) : await link.rows(DROP, [feed, names]);
  const ids = rows.map((row) => column.text(row, 'id'));
  if (ids.length > 0) await retireServers(tx, ids, now);
}
