import { readFile } from 'node:fs/promises';
import { UsageError, type Io } from './command.ts';

const STDIN_BYTES_MAX = 16 * 1024 * 1024;

/** JSON that was given as a word, as `@FILE`, or as `-` for standard input. Throws UsageError. */
export async function jsonOf(io: Io, given: string, name: string): Promise<unknown> {
  const text =
    given === '-' ? await textOfStdin(io) : given.startsWith('@') ? await textOfFile(given) : given;
  return parsed(text, name);
}

/** JSON of a file, or of standard input for `-`. Throws UsageError. */
export async function jsonFile(io: Io, path: string): Promise<unknown> {
  return parsed(path === '-' ? await textOfStdin(io) : await textOfFile(`@${path}`), path);
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`${name} is not JSON`);
  }
}

async function textOfFile(named: string): Promise<string> {
  const path = named.slice(1);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new UsageError(`${path} cannot be read: ${code}`);
  }
}

async function textOfStdin({ stdin }: Io): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > STDIN_BYTES_MAX) throw new UsageError('standard input has more than 16 MiB');
  }
  return Buffer.concat(chunks).toString('utf8');
}
