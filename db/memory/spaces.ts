import type { Account, KeyId } from '../../domain/account.ts';
import * as columns from '../batch/columns.ts';
import { table as batchTable, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

export const SPACE_COLUMNS = {
  id: columns.text().key(),
  no: columns.integer().counted(),
  owner: columns.account().fixed(),
  name: columns.text().fixed(),
  kind: columns.oneOf(['private', 'shared']).fixed(),
  /** The model that makes its vectors; absent where they come from outside. */
  model: columns.text().fixed().optional(),
  dimensions: columns.integer().fixed(),
  notes: columns.integer(),
  /** Those among them that have an embedding. */
  embedded: columns.integer(),
  /** Words of all notes. */
  words: columns.integer(),
  bytes: columns.integer(),
  /** Counts up with every note that is written. */
  changes: columns.integer().guard(),
  createdAt: columns.moment().fixed(),
};
/** Spaces; a transaction that changes a note locks its space first. */
export const SPACES = table('memory_spaces', SPACE_COLUMNS, {
  use: 'single',
  personal: { owner: 'owner', order: ['no'] },
});
export type Space = RowIn<typeof SPACES>;

/** The change of a space up to which its readers have events. */
export const ANNOUNCED_SPACES = batchTable(
  'memory_spaces',
  { id: columns.text().key(), announced: columns.integer().guard() },
  { as: 'announced_spaces', use: 'update' },
);

export const SPACE_GRANTS = table(
  'memory_grants',
  {
    space: columns.integer().key(),
    grantee: columns.account().key(),
    canWrite: columns.flag(),
    at: columns.moment(),
    /** The key that changed it last. */
    madeBy: columns.keyId().optional(),
  },
  { use: 'single', personal: { apart: 'in the export of a space' } },
);
export type Grant = Omit<RowIn<typeof SPACE_GRANTS>, 'space' | 'madeBy'>;

const INSERT = statement(`
  ${SPACES.insertion} ON CONFLICT (owner, name) DO NOTHING RETURNING *`);

/** Makes an empty space; undefined when the owner has one of this name. */
export async function insertSpace(
  tx: Writer,
  space: Pick<Space, 'id' | 'owner' | 'name' | 'kind' | 'model' | 'dimensions' | 'createdAt'>,
): Promise<Space | undefined> {
  const empty = { no: 0, notes: 0, embedded: 0, words: 0, bytes: 0, changes: 0 };
  const row = column.one(await linkOf(tx).rows(INSERT, SPACES.cells({ ...space, ...empty })));
  return row && SPACES.fromRow(row);
}

const READ = statement('SELECT * FROM memory_spaces WHERE id = ?');
const LOCK = statement(
  'SELECT * FROM memory_spaces WHERE id = ?',
  'SELECT * FROM memory_spaces WHERE id = ? FOR UPDATE',
);

export async function readSpace(db: Reader, id: string): Promise<Space | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [id]));
  return row && SPACES.fromRow(row);
}

export async function lockSpace(tx: Writer, id: string): Promise<Space | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [id]));
  return row && SPACES.fromRow(row);
}

const SAVE = statement(`${SPACES.change} WHERE no = ?`);

/** Writes the sums of a space that the unit has locked. */
export async function saveSpace(tx: Writer, space: Space): Promise<void> {
  await linkOf(tx).rows(SAVE, [...SPACES.changes(space), space.no]);
}

const RENAME = statement(`
  UPDATE memory_spaces SET name = ? WHERE no = ? AND NOT EXISTS
    (SELECT 1 FROM memory_spaces s WHERE s.owner = memory_spaces.owner AND s.name = ?
      AND s.no <> memory_spaces.no) RETURNING *`);
const NAMED = statement('SELECT * FROM memory_spaces WHERE owner = ? AND name = ?');
const DELETE = statement('DELETE FROM memory_spaces WHERE no = ?');
const DELETE_GRANTS = statement('DELETE FROM memory_grants WHERE space = ?');
const DELETE_TRACES = statement('DELETE FROM note_deletions WHERE space = ?');
/** SQLite may give the number of the space to another one, whose notes are all of now. */
const SKIP_REINDEXING = statement('UPDATE note_reindexing SET done = until WHERE space = ?');
const PAGE = statement(`
  SELECT * FROM memory_spaces WHERE id > ? AND (owner = ? OR no IN
    (SELECT space FROM memory_grants WHERE grantee = ?)) ORDER BY id LIMIT ?`);

/** Renames a space that is locked; undefined when its owner has another one of this name. */
export async function renameSpace(
  tx: Writer,
  { no }: Space,
  name: string,
): Promise<Space | undefined> {
  const row = column.one(await linkOf(tx).rows(RENAME, [name, no, name]));
  return row && SPACES.fromRow(row);
}

export async function spaceNamed(
  db: Reader,
  owner: Account,
  name: string,
): Promise<Space | undefined> {
  const row = column.one(await linkOf(db).rows(NAMED, [owner, name]));
  return row && SPACES.fromRow(row);
}

/** Deletes a space that is locked and empty, with its grants. */
export async function deleteSpace(tx: Writer, { no }: Space): Promise<void> {
  for (const each of [DELETE_GRANTS, DELETE_TRACES, SKIP_REINDEXING, DELETE])
    await linkOf(tx).rows(each, [no]);
}

/** The spaces that an account owns or may read, in the order of their ids. */
export async function spacePage(
  db: Reader,
  account: Account,
  after: string,
  limit: number,
): Promise<readonly Space[]> {
  const rows = await linkOf(db).rows(PAGE, [after, account, account, limit]);
  return rows.map(SPACES.fromRow);
}

const GRANT = statement(`
  ${SPACE_GRANTS.insertion}
  ON CONFLICT (space, grantee) DO UPDATE SET ${SPACE_GRANTS.replacement}`);
const REVOKE = statement('DELETE FROM memory_grants WHERE space = ? AND grantee = ?');
const GRANT_OF = statement('SELECT * FROM memory_grants WHERE space = ? AND grantee = ?');
const GRANTS = statement(`
  SELECT * FROM memory_grants WHERE space = ? ORDER BY at, grantee LIMIT ?`);
const COUNT = statement('SELECT count(*) AS grants FROM memory_grants WHERE space = ?');

/** Saves a grant as made by the key that changed it last. */
export async function saveGrant(
  tx: Writer,
  { no }: Space,
  grant: Grant,
  madeBy: KeyId,
): Promise<void> {
  await linkOf(tx).rows(GRANT, SPACE_GRANTS.cells({ ...grant, space: no, madeBy }));
}

export async function deleteGrant(tx: Writer, { no }: Space, grantee: Account): Promise<void> {
  await linkOf(tx).rows(REVOKE, [no, grantee]);
}

export async function grantOf(
  db: Reader,
  { no }: Space,
  grantee: Account,
): Promise<Grant | undefined> {
  const row = column.one(await linkOf(db).rows(GRANT_OF, [no, grantee]));
  return row && SPACE_GRANTS.fromRow(row);
}

/** Oldest first. */
export async function grantsOn(
  db: Reader,
  { no }: Space,
  limit: number,
): Promise<readonly Grant[]> {
  return (await linkOf(db).rows(GRANTS, [no, limit])).map(SPACE_GRANTS.fromRow);
}

const MADE_BY = statement(`
  SELECT s.id AS space_id, g.*
  FROM memory_spaces s JOIN memory_grants g ON g.space = s.no
  WHERE s.owner = ? AND g.made_by = ? ORDER BY g.at, s.id, g.grantee LIMIT ?`);

export interface GrantOn extends Grant {
  readonly spaceId: string;
}

/** The grants on spaces of an account that one of its keys made or changed last, oldest first. */
export async function grantsMadeBy(
  db: Reader,
  owner: Account,
  madeBy: KeyId,
  limit: number,
): Promise<readonly GrantOn[]> {
  const rows = await linkOf(db).rows(MADE_BY, [owner, madeBy, limit]);
  return rows.map((row) => {
    const { grantee, canWrite, at } = SPACE_GRANTS.fromRow(row);
    return { spaceId: column.text(row, 'space_id'), grantee, canWrite, at };
  });
}

export async function countGrants(db: Reader, { no }: Space): Promise<number> {
  const row = column.one(await linkOf(db).rows(COUNT, [no]));
  if (row === undefined) throw new Error('a count has a row');
  return column.whole(row, 'grants');
}
