import type { Account, KeyId } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { SpaceKind } from '../../domain/memory/access.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Tables of spaces and their grants; a transaction that changes a note locks its space first. */
export interface Space {
  readonly no: number;
  readonly id: string;
  readonly owner: Account;
  readonly name: string;
  readonly kind: SpaceKind;
  readonly notes: number;
  /** Of them with an embedding. */
  readonly embedded: number;
  /** Words of all notes. */
  readonly words: number;
  readonly bytes: number;
  /** Counts up with every note that is written. */
  readonly changes: number;
  readonly createdAt: Instant;
}

export interface Grant {
  readonly grantee: Account;
  readonly canWrite: boolean;
  readonly at: Instant;
}

const INSERT = statement(`
  INSERT INTO memory_spaces (id, owner, name, kind, notes, embedded, words, bytes, changes,
    created_at) VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, ?)
  ON CONFLICT (owner, name) DO NOTHING RETURNING *`);

/** Makes an empty space; undefined when the owner has one of this name. */
export async function insertSpace(
  tx: Writer,
  space: Pick<Space, 'id' | 'owner' | 'name' | 'kind' | 'createdAt'>,
): Promise<Space | undefined> {
  const { id, owner, name, kind, createdAt } = space;
  const row = column.one(await linkOf(tx).rows(INSERT, [id, owner, name, kind, createdAt]));
  return row && spaceOf(row);
}

const READ = statement('SELECT * FROM memory_spaces WHERE id = ?');
const LOCK = statement(
  'SELECT * FROM memory_spaces WHERE id = ?',
  'SELECT * FROM memory_spaces WHERE id = ? FOR UPDATE',
);

export async function readSpace(db: Reader, id: string): Promise<Space | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [id]));
  return row && spaceOf(row);
}

export async function lockSpace(tx: Writer, id: string): Promise<Space | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [id]));
  return row && spaceOf(row);
}

const SAVE = statement(`
  UPDATE memory_spaces SET notes = ?, embedded = ?, words = ?, bytes = ?, changes = ?
  WHERE no = ?`);

/** Writes the sums of a space that the unit has locked. */
export async function saveSpace(tx: Writer, space: Space): Promise<void> {
  const { notes, embedded, words, bytes, changes, no } = space;
  await linkOf(tx).rows(SAVE, [notes, embedded, words, bytes, changes, no]);
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
  return row && spaceOf(row);
}

export async function spaceNamed(
  db: Reader,
  owner: Account,
  name: string,
): Promise<Space | undefined> {
  const row = column.one(await linkOf(db).rows(NAMED, [owner, name]));
  return row && spaceOf(row);
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
  return rows.map(spaceOf);
}

const GRANT = statement(`
  INSERT INTO memory_grants (space, grantee, can_write, at, made_by) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (space, grantee) DO UPDATE
    SET can_write = excluded.can_write, at = excluded.at, made_by = excluded.made_by`);
const REVOKE = statement('DELETE FROM memory_grants WHERE space = ? AND grantee = ?');
const GRANT_OF = statement(
  'SELECT grantee, can_write, at FROM memory_grants WHERE space = ? AND grantee = ?',
);
const GRANTS = statement(`
  SELECT grantee, can_write, at FROM memory_grants WHERE space = ? ORDER BY at, grantee LIMIT ?`);
const COUNT = statement('SELECT count(*) AS grants FROM memory_grants WHERE space = ?');

/** Saves a grant as made by the key that changed it last. */
export async function saveGrant(
  tx: Writer,
  { no }: Space,
  { grantee, canWrite, at }: Grant,
  madeBy: KeyId,
): Promise<void> {
  await linkOf(tx).rows(GRANT, [no, grantee, canWrite ? 1 : 0, at, madeBy]);
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
  return row && grantIn(row);
}

/** Oldest first. */
export async function grantsOn(
  db: Reader,
  { no }: Space,
  limit: number,
): Promise<readonly Grant[]> {
  return (await linkOf(db).rows(GRANTS, [no, limit])).map(grantIn);
}

const MADE_BY = statement(`
  SELECT s.id AS space_id, g.grantee, g.can_write, g.at
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
  return rows.map((row) => ({ spaceId: column.text(row, 'space_id'), ...grantIn(row) }));
}

export async function countGrants(db: Reader, { no }: Space): Promise<number> {
  const row = column.one(await linkOf(db).rows(COUNT, [no]));
  if (row === undefined) throw new Error('a count has a row');
  return column.whole(row, 'grants');
}

function grantIn(row: Row): Grant {
  return {
    grantee: column.account(row, 'grantee'),
    canWrite: column.flag(row, 'can_write'),
    at: column.time(row, 'at'),
  };
}

function spaceOf(row: Row): Space {
  return {
    no: column.whole(row, 'no'),
    id: column.text(row, 'id'),
    owner: column.account(row, 'owner'),
    name: column.text(row, 'name'),
    kind: column.text(row, 'kind') === 'shared' ? 'shared' : 'private',
    notes: column.whole(row, 'notes'),
    embedded: column.whole(row, 'embedded'),
    words: column.whole(row, 'words'),
    bytes: column.whole(row, 'bytes'),
    changes: column.whole(row, 'changes'),
    createdAt: column.time(row, 'created_at'),
  };
}
