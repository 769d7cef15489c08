import { noteOfKey, notePage, placeOf, versionsOf } from '../../db/memory/notes.ts';
import { grantsOn } from '../../db/memory/spaces.ts';
import type { Reader } from '../../db/store.ts';
import type { Instant } from '../../domain/instant.ts';
import { hasExpired } from '../../domain/memory/note.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Call } from '../../workflows/kernel/call.ts';
import { access, type Access } from '../../workflows/memory/access.ts';
import { envelopeOf, type PageEnvelope } from '../page.ts';
import { presentGrant, presentNote, presentSpace, UNTRUSTED } from './present.ts';

type Query = Call<'memory.readSpace'>['query'];
type Contents = Schemas['SpaceContents'];
type Shown = Pick<Contents, 'notes' | 'history' | keyof PageEnvelope>;

/** Bytes of notes in one answer; the next page begins where they end. */
const PAGE_BYTES_MAX = 524_288;

/** A page of a space, or the note of one key with what the key held before. */
export const readSpace: Handler<'memory.readSpace'> = async ({ path, query, caller }, hub) => {
  const now = hub.clock.now();
  const body = await hub.store.read(async (db): Promise<Contents> => {
    const found = await access(db, path.id, caller.account, 'read');
    const { space, rights } = found;
    const { key } = query;
    const shown =
      key === undefined
        ? await pageOf(db, found, query, now)
        : await noteOf(db, found, key, query, now);
    const isOwner = rights.includes('grant');
    const grants = isOwner ? await grantsOn(db, space, GRANTS_PER_SPACE_MAX) : [];
    return {
      space: presentSpace(space),
      access: { youMay: rights, ...(isOwner && { grants: grants.map(presentGrant) }) },
      ...shown,
      ...UNTRUSTED,
    };
  });
  return { status: 200, body };
};

async function pageOf(
  db: Reader,
  { space }: Access,
  { limit, cursor: after, embeddings }: Query,
  now: Instant,
): Promise<Shown> {
  const place = after === undefined ? Number.MAX_SAFE_INTEGER : await placeOf(db, space.no, after);
  if (place === undefined) {
    return refuse('not-found', {
      error: 'query.cursor names no note of this space.',
      hint: 'Send the `nextCursor` of the page before, or leave it out for the newest page.',
      field: 'query.cursor',
    });
  }
  const page = {
    order: 'newest',
    from: place,
    limit,
    bytesMax: PAGE_BYTES_MAX,
    now,
  } as const;
  const { notes, isLast } = await notePage(db, space.no, page);
  return {
    ...envelopeOf({ rows: notes, more: !isLast }, limit, ({ id }) => id),
    notes: notes.map((note) => presentNote(note, embeddings)),
  };
}

async function noteOf(
  db: Reader,
  { space }: Access,
  key: string,
  { limit, embeddings }: Query,
  now: Instant,
): Promise<Shown> {
  const stored = await noteOfKey(db, space.no, key);
  const note = hasExpired(stored, now) ? undefined : stored;
  const page = { rows: note === undefined ? [] : [note], more: false };
  const envelope = envelopeOf(page, limit, ({ id }) => id);
  if (note === undefined) return { ...envelope, notes: [], history: [] };
  const versions = await versionsOf(db, note.no);
  return {
    ...envelope,
    notes: [presentNote(note, embeddings)],
    history: versions.map(({ author, content, at }) => ({ author, content, at })),
  };
}
