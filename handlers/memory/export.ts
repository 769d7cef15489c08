import { notePage, type NotePage } from '../../db/memory/notes.ts';
import { grantsOn, type Grant, type Space } from '../../db/memory/spaces.ts';
import type { Account } from '../../domain/account.ts';
import { iso } from '../../domain/instant.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import { unpackMetadata } from '../../domain/memory/metadata.ts';
import type { Note } from '../../domain/memory/note.ts';
import type { Schemas } from '../../workflows/kernel/answered.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { access } from '../../workflows/memory/access.ts';
import { presentGrant, presentSpace, UNTRUSTED } from './present.ts';

type ExportLine = Schemas['ExportLine'];

const NOTES_AT_ONCE = 100;
const BYTES_AT_ONCE = 524_288;

/** A space line by line, oldest note first; the reader's pace is the pace. */
export const exportSpace: Handler<'memory.export'> = async ({ path, caller }, hub) => {
  const { space } = await hub.store.read((db) => access(db, path.id, caller.account, 'read'));
  return { status: 200, type: 'application/x-ndjson', body: lines(hub, space, caller.account) };
};

async function* lines(hub: Hub, space: Space, reader: Account): AsyncGenerator<ExportLine> {
  const at = iso(hub.clock.now());
  yield { line: 'space', space: presentSpace(space), at, ...UNTRUSTED };
  let notes = 0;
  for (let from = 0, isLast = false; !isLast;) {
    const page = await pageFor(hub, space, reader, from);
    for (const note of page.notes) yield exported(note);
    notes += page.notes.length;
    // A note that is overwritten meanwhile comes again, with what it holds then.
    from = page.notes.at(-1)?.changed ?? from;
    isLast = page.isLast;
  }
  const grants = await grantsFor(hub, space, reader);
  for (const grant of grants) yield { line: 'grant', ...presentGrant(grant) };
  yield { line: 'end', notes, grants: grants.length };
}

/** Checks the right to read again for every page, so an export ends when its reader loses it. */
function pageFor(hub: Hub, { id, no }: Space, reader: Account, from: number): Promise<NotePage> {
  return hub.store.read(async (db) => {
    await access(db, id, reader, 'read');
    return notePage(db, no, {
      order: 'oldest',
      from,
      limit: NOTES_AT_ONCE,
      bytesMax: BYTES_AT_ONCE,
      now: hub.clock.now(),
    });
  });
}

async function grantsFor(hub: Hub, space: Space, reader: Account): Promise<readonly Grant[]> {
  if (space.owner !== reader) return [];
  return hub.store.readOne((db) => grantsOn(db, space, GRANTS_PER_SPACE_MAX));
}

function exported({
  id,
  key,
  author,
  content,
  embedding,
  metadata,
  expiresAt,
  at,
}: Note): ExportLine {
  return {
    line: 'note',
    noteId: id,
    key,
    author,
    content,
    embeddingBase64: embedding,
    metadata: unpackMetadata(metadata),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    at,
  };
}
