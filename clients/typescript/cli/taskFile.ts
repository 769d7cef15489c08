import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { storeFile, taskFile, type FileReference, type Hub } from '../index.ts';
import { textOf, UsageError, type Call, type ExitCode } from './command.ts';
import { openSession } from './session.ts';
import { facts, show } from './show.ts';

/** `--file PATH`: stores the files under their names, and names them in the brief. */
export async function storedFiles(
  { values }: Call,
  hub: Hub,
): Promise<{ readonly files?: readonly FileReference[] }> {
  const { file: paths } = values;
  if (!Array.isArray(paths)) return {};
  const files: FileReference[] = [];
  for (const path of paths.map(String)) {
    const key = basename(path).replaceAll(/[^A-Za-z0-9 ._@+=-]/g, '_');
    files.push(await storeFile(hub, key.replace(/^\./, '_'), await contentOf(path)));
  }
  return { files };
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
    throw new UsageError('it is `hub task file ID DIGEST --output PATH`');
  }
  const { hub } = await openSession(call);
  const content = await taskFile(hub, id, digest);
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
