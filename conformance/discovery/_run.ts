import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that are run as a reader would run them, beside a hub that lives in this process. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const RUN_MS_MAX = 15_000;

export function run(command: string, words: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, words, { cwd, timeout: RUN_MS_MAX });
    const [stdout, stderr]: [string[], string[]] = [[], []];
    child.stdout.on('data', (text: Buffer) => stdout.push(String(text)));
    child.stderr.on('data', (text: Buffer) => stderr.push(String(text)));
    child.on('error', (error) => resolve({ code: null, stdout: '', stderr: String(error) }));
    child.on('close', (code) =>
      resolve({ code, stdout: stdout.join(''), stderr: stderr.join('') }),
    );
  });
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-snippet-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a program is here; when it is not, says what was therefore not tried. */
export async function present(
  command: string,
  words: readonly string[],
  untried: string,
): Promise<boolean> {
  if ((await run(command, words, tmpdir())).code === 0) return true;
  process.stderr.write(`      not tried here: ${untried}\n`);
  return false;
}

export const hasPython = (): Promise<boolean> =>
  present(
    'python3',
    [
      '-c',
      'from cryptography.hazmat.primitives.asymmetric import ed25519 as e; e.Ed25519PublicKey.public_bytes_raw',
    ],
    'the Python signer (needs python3 with cryptography 40 or newer)',
  );
