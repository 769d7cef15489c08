import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyId } from '../../../domain/account.ts';
import { StartError } from '../startError.ts';
import { hubKey, newSeed, SEED_BYTES, type HubKey } from './ed25519.ts';

/**
 * The secrets of the hub's own keys, one file each, for the operator alone. A file is never
 * overwritten nor deleted once its key has signed: a backup has the only copy.
 */
const OWNER_ONLY = 0o600;

/** Makes a key and its file; on the disk, not only in its cache, when the promise resolves. */
export async function makeKeyFile(dataDir: string): Promise<HubKey> {
  const seed = newSeed();
  const key = hubKey(seed);
  const folder = join(dataDir, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(keyFile(dataDir, key.keyId), 'wx', OWNER_ONLY);
  try {
    const secretKey = Buffer.from(seed).toString('base64');
    await file.writeFile(`${JSON.stringify({ keyId: key.keyId, secretKey })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
  return key;
}

/** A new name is durable once its folder is; Windows opens no folders and does this by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Refuses a file of a secret key that other users of the machine may read. */
export function mustBePrivate(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new StartError(`${path} is open to others; they could sign as the hub: chmod 600`);
}

/** Undefined when the folder has no file; throws when others may read it or its key is another. */
export async function readKeyFile(dataDir: string, keyId: KeyId): Promise<HubKey | undefined> {
  const path = keyFile(dataDir, keyId);
  let text: string;
  try {
    const { mode } = await stat(path);
    mustBePrivate(path, mode);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const seed = Buffer.from(secretIn(text) ?? '', 'base64');
  if (seed.length !== SEED_BYTES) {
    throw new StartError(`${path} holds no key; put the copy of a backup there`);
  }
  const key = hubKey(seed);
  if (key.keyId !== keyId)
    throw new StartError(
      `${path} holds the key ${key.keyId}, another than its name says; put the copy of a backup there`,
    );
  return key;
}

/** Takes back a key that was never entered anywhere. */
export async function dropKeyFile(dataDir: string, keyId: KeyId): Promise<void> {
  await rm(keyFile(dataDir, keyId), { force: true });
}

export function keyFile(dataDir: string, keyId: KeyId): string {
  return join(dataDir, 'keys', `${keyId}.json`);
}

function secretIn(text: string): string | undefined {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof file !== 'object' || file === null || !('secretKey' in file)) return undefined;
  return typeof file.secretKey === 'string' ? file.secretKey : undefined;
}
