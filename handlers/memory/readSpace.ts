import { noteOfKey, notePage, placeOf, versionsOf } from '../../db/memory/notes.ts';
import { grantsOn } from '../../db/memory/spaces.ts';
import type { Reader } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import type { components } from '../../generated/types.ts';
import { refuse } from '../../server/hub/errors.ts';
import type { Handler } from '../../server/hub/handler.ts';
import type { Call } from '../../server/hub/call.ts';
import { access, type Access } from '../../workflows/memory/access.ts';
import { presentGrant, presentNote, presentSpace, UNTRUSTED } from './present.ts';

type Query = Call<'memory.readSpace'>['query'];
type Contents = components['schemas']['SpaceContents'];
type Shown = Pick<Contents, 'notes' | 'nextBefore' | 'history'>;

/** Bytes of notes in one answer; the next page begins where they end. */
const PAGE_BYTES_MAX = 524_288;

/** A page of a space, or the note of one key with what the key held before. */
export const readSpace: Handler<'memory.readSpace'> = async ({ path, query, caller }, hub) => {
  const body = await hub.store.read(async (db): Promise<Contents> => {
    const found = await access(db, path.id, caller.account, 'read');
    const { space, rights } = found;
    const { key } = query;
    const shown =
      key === undefined ? await pageOf(db, found, query) : await noteOf(db, found, key, query);
    const isOwner = rights.includes('grant');
    const grants = isOwner ? await grantsOn(db, space, GRANTS_PER_SPACE_MAX) : [];
    return {
      space: presentSpace(space),
      access: { youMay: [...rights], ...(isOwner && { grants: grants.map(presentGrant) }) },
      count: shown.notes.length,
      limit: query.limit,
      ...shown,
      ...UNTRUSTED,
    };
  });
  return { status: 200, body };
};

async function pageOf(
  db: Reader,
  { space }: Access,
  { limit, before, embeddings }: Query,
): Promise<Shown> {
  const place =
    before === undefined ? Number.MAX_SAFE_INTEGER : await placeOf(db, space.no, before);
  if (place === undefined) {
    return refuse('not-found', {
      error: 'query.before names no note of this space.',
      hint: 'Send the `nextBefore` of the page before, or leave it out for the newest page.',
      field: 'query.before',
    });
  }
  const page = { order: 'newest', from: place, limit, bytesMax: PAGE_BYTES_MAX } as const;
  const { notes, isLast } = await notePage(db, space.no, page);
  const last = notes.at(-1);
  return {
    notes: notes.map((note) => presentNote(note, embeddings)),
    ...(!isLast && last !== undefined && { nextBefore: last.id }),
  };
}

async function noteOf(
  db: Reader,
  { space }: Access,
  key: string,
  { embeddings }: Query,
): Promise<Shown> {
  const note = await noteOfKey(db, space.no, key);
  if (note === undefined) return { notes: [], history: [] };
  const versions = await versionsOf(db, note.no);
  return {
    notes: [presentNote(note, embeddings)],
    history: versions.map(({ author, content, at }) => ({ author, content, at: iso(at) })),
  };
}
