import { createWriteStream } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { filePage } from '../../db/files/files.ts';
import { notePage } from '../../db/memory/notes.ts';
import { grantsOn, spacePage, type Space } from '../../db/memory/spaces.ts';
import type { Reader } from '../../db/connection.ts';
import type { Account } from '../../domain/account.ts';
import { iso, type Instant } from '../../domain/instant.ts';
import { unpackMetadata } from '../../domain/memory/metadata.ts';
import { GRANTS_PER_SPACE_MAX } from '../../domain/memory/limits.ts';
import { FILES } from './folders.ts';

/** Counts of the things that one account had when a backup was made. */
export interface TakenOut {
  readonly spaces: number;
  readonly notes: number;
  readonly files: number;
  /** Files whose contents are not in the folder of the backup. */
  readonly missing: readonly string[];
}

const PAGE = 100;
const PAGE_BYTES = 1_048_576;
/** Names of files have at most 255 bytes. */
const NAME_MAX = 200;
const OWNER_ONLY = { mode: 0o600, flags: 'wx' } as const;

export interface TakingOut {
  readonly backup: string;
  readonly into: string;
  /** Notes that have expired by then stay away, since an import refuses them. */
  readonly now: Instant;
}

/**
 * Writes the spaces of an account as `memory.import` takes them, and its files, into a folder. The
 * live hub is left alone: storing has a price and needs the signature of the owner (choices
 * operator.backups).
 */
export async function takeOut(
  db: Reader,
  owner: Account,
  { backup, into, now }: TakingOut,
): Promise<TakenOut> {
  for (const name of ['notes', 'files']) await mkdir(join(into, name), { recursive: true });
  const counted = { spaces: 0, notes: 0, files: 0 };
  for (let after = '', isLast = false; !isLast;) {
    const page = await spacePage(db, owner, after, PAGE);
    for (const space of page.filter((each) => each.owner === owner)) {
      const file = createWriteStream(join(into, 'notes', `${space.id}.ndjson`), OWNER_ONLY);
      await pipeline(Readable.from(linesOf(db, space, now)), file);
      counted.spaces += 1;
      counted.notes += space.notes;
    }
    after = page.at(-1)?.id ?? after;
    isLast = page.length < PAGE;
  }
  const missing: string[] = [];
  for (let after = '', isLast = false; !isLast;) {
    const page = await filePage(db, owner, { prefix: '', after, limit: PAGE });
    for (const { key, object, sha256 } of page) {
      const name = encodeURIComponent(key);
      const to = join(into, 'files', name.length > NAME_MAX ? sha256 : name);
      const isThere = await copied(join(backup, FILES, object.slice(0, 2), object), to);
      if (isThere) counted.files += 1;
      else missing.push(key);
    }
    after = page.at(-1)?.key ?? after;
    isLast = page.length < PAGE;
  }
  return { ...counted, missing };
}

async function* linesOf(db: Reader, space: Space, now: Instant): AsyncGenerator<string> {
  const { id, owner, name, kind, no } = space;
  yield line({ line: 'space', space: { id, owner, name, kind } });
  for (let from = 0, isLast = false; !isLast;) {
    const limits = { limit: PAGE, bytesMax: PAGE_BYTES, now };
    const page = await notePage(db, no, { order: 'oldest', from, ...limits });
    for (const {
      key,
      author,
      content,
      embedding,
      metadata,
      expiresAt,
      at,
      changed,
    } of page.notes) {
      yield line({
        line: 'note',
        key,
        author,
        content,
        embeddingBase64: embedding,
        at: iso(at),
        metadata: unpackMetadata(metadata),
        ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
      });
      from = changed;
    }
    isLast = page.isLast;
  }
  for (const { grantee, canWrite } of await grantsOn(db, space, GRANTS_PER_SPACE_MAX)) {
    yield line({ line: 'grant', grantee, canWrite });
  }
}

const line = (value: Readonly<Record<string, unknown>>): string => `${JSON.stringify(value)}\n`;

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
