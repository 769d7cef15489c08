import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sha256 } from '../files.ts';
import { storeFile, taskFile, type FileReference, type Hub } from '../index.ts';
import { isSet, textOf, UsageError, type Call, type ExitCode } from './command.ts';
import { openSession, signingKey } from './session.ts';
import { facts, show } from './show.ts';

/**
 * `--file PATH`: stores the files under their names, and names them in the brief. With `--seal` the
 * accounts of `--offer` and this one alone can read them.
 */
export async function storedFiles(
  call: Call,
  hub: Hub,
): Promise<{ readonly files?: readonly FileReference[] }> {
  const { file: paths, offer } = call.values;
  const isSealed = isSet(call, 'seal');
  if (isSealed && !(Array.isArray(paths) && Array.isArray(offer))) {
    throw new UsageError('--seal goes with --file PATH and --offer ACCOUNT, for which it seals');
  }
  if (!Array.isArray(paths)) return {};
  const readers = [...(Array.isArray(offer) ? offer.map(String) : []), hub.account ?? ''];
  const files: FileReference[] = [];
  for (const path of paths.map(String)) {
    const content = await contentOf(path);
    const stored = isSealed ? await sealed(readers, content) : content;
    // A file of an earlier task is held under its name, so each content has a folder of its own.
    const folder = (await sha256(stored)).slice(0, 8);
    files.push(await storeFile(hub, `${folder}/${nameOf(path)}${isSealed ? '.age' : ''}`, stored));
  }
  return { files };
}

function nameOf(path: string): string {
  return basename(path)
    .replaceAll(/[^A-Za-z0-9 ._@+=-]/g, '_')
    .replace(/^\./, '_');
}

async function contentOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new UsageError(`${path} cannot be read: ${code}`);
  }
}

/** `hub task file`: reads a file of a task, compares its digest and writes it. */
export async function taskFileTo(call: Call): Promise<ExitCode> {
  const [id, digest, ...more] = call.words;
  const output = textOf(call, 'output');
  if (id === undefined || digest === undefined || more.length > 0 || output === undefined) {
    throw new UsageError('it is `hub task file ID DIGEST --output PATH [--open]`');
  }
  const { hub } = await openSession(call);
  const stored = await taskFile(hub, id, digest);
  const content = isSet(call, 'open') ? await opened(call, stored) : stored;
  // A file that is there may be one that its owner wants to keep.
  await writeFile(output, content, { flag: 'wx' });
  show(call, { file: output, bytes: content.length, sha256: digest }, () =>
    facts(call.io, [
      ['file', output],
      ['bytes', String(content.length)],
      ['sha256', digest],
    ]),
  );
  return 0;
}

async function sealed(readers: readonly string[], content: Uint8Array): Promise<Uint8Array> {
  const { sealFor } = await import('../seal.ts');
  try {
    return await sealFor(readers, content);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

async function opened(call: Call, stored: Uint8Array): Promise<Uint8Array> {
  const { openSealed } = await import('../seal.ts');
  try {
    return await openSealed(await signingKey(call), stored);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the file cannot be opened with the key of this folder: ${why}`);
  }
}
