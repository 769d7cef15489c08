import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DatabaseKind } from '../../db/backup/database.ts';
import type { Snapshot } from '../../db/backup/snapshot.ts';
import { isObject } from '../../domain/jsonObject.ts';

/** It is written last, so a backup without it is unfinished. A restore checks its digests. */
export interface Manifest extends Snapshot {
  readonly format: 1;
  /** When it began, ISO 8601. */
  readonly madeAt: string;
  readonly database: DatabaseKind;
  /** False when the contents of files are in a bucket, which has backups of its own. */
  readonly hasFiles: boolean;
  readonly parts: readonly Part[];
}
interface Part {
  /** Path below the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const NAME = 'manifest.json';
const OWNER_ONLY = 0o600;

/** Lists what is in the folder, syncs it to the disk and says that it is whole. */
export async function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'format' | 'parts'>,
): Promise<Manifest> {
  const parts = await partsOf(folder);
  for (const { path } of parts) await sync(join(folder, path));
  const manifest: Manifest = { format: 1, ...facts, parts };
  const options = { mode: OWNER_ONLY, flag: 'wx' } as const;
  await writeFile(join(folder, NAME), `${JSON.stringify(manifest, undefined, 2)}\n`, options);
  return manifest;
}

/** The manifest when every part is what it says; otherwise what is wrong, in words. */
export async function checkManifest(folder: string): Promise<Manifest | string> {
  const text = await readFile(join(folder, NAME), 'utf8').catch(() => undefined);
  if (text === undefined) return `There is no ${NAME} in ${folder}: no backup ended there.`;
  const manifest = parse(text);
  if (manifest === undefined) return `${NAME} is not that of a backup of format 1.`;
  const found = new Map((await partsOf(folder)).map((part) => [part.path, part]));
  for (const { path, sha256 } of manifest.parts) {
    if (found.get(path)?.sha256 !== sha256) return `${path} is missing or was changed.`;
  }
  return manifest;
}

function parse(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value['format'] !== 1 || !Array.isArray(value['parts']))
      return undefined;
    return value as unknown as Manifest;
  } catch {
    return undefined;
  }
}

async function partsOf(folder: string): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (!entry.isFile() || name === NAME) continue;
    const { size: bytes } = await stat(path);
    parts.push({ path: name, bytes, sha256: await digestOf(path) });
  }
  return parts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}
