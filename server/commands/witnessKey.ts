import { open, readFile, stat } from 'node:fs/promises';
import { hubKey, newSeed, SEED_BYTES, type HubKey } from '../../workflows/kernel/keys/ed25519.ts';
import { mustBePrivate } from '../../workflows/kernel/keys/keyFiles.ts';

/** The key of a witness: the base64 of its seed in a file of its owner, made when it is missing. */
export async function witnessKey(path: string): Promise<HubKey> {
  try {
    const { mode } = await stat(path);
    mustBePrivate(path, mode);
    const seed = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64');
    if (seed.length === SEED_BYTES) return hubKey(seed);
    throw new Error(`${path} holds no key of a witness: the base64 of ${SEED_BYTES} bytes`);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const seed = newSeed();
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(seed).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return hubKey(seed);
}
