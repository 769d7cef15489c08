import { createReadStream } from 'node:fs';
import { nodeCrypto } from '../../clients/typescript/verify/nodeCrypto.ts';
import type { Facts, Refused } from '../../clients/typescript/verify/verdict.ts';
import { createVerifier } from '../../clients/typescript/verify/verifier.ts';
import { parseJson } from '../../domain/json.ts';
import type { Command, ExitCode, Print } from './command.ts';

/**
 * `hub verify`: the published client's checks on saved answers. It reads no database and no setting,
 * so it says of a hub's word what anybody else could find out (spec/BYTES.md).
 */
type Chunks = AsyncIterable<Uint8Array>;

/** Nearly two months of pulses. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const NO_KEYS = `Save GET /keys of the hub to a file and name it with --keys, such as:
  curl -s -H 'accept: application/json' https://hub.example/keys >keys.json
  hub verify pulse.json --keys keys.json
`;

/** What kept the command from being done, for people. */
class NotDone extends Error {}

export const verify: Command = (words, _, print) => verifyFile(words, print, process.stdin);

/** Checks one file, or `stdin` for `-`, under the keys of another, and prints what it found. */
export async function verifyFile(
  words: readonly string[],
  print: Print,
  stdin: Chunks,
): Promise<ExitCode | undefined> {
  const keysAt = words.indexOf('--keys');
  const [file, ...more] = words.filter(
    (_, at) => keysAt < 0 || (at !== keysAt && at !== keysAt + 1),
  );
  if (file === undefined || more.length > 0) return undefined;
  const keysFile = keysAt < 0 ? undefined : words[keysAt + 1];
  if (keysFile === undefined) {
    print(NO_KEYS);
    return 2;
  }
  try {
    const [value, keys] = [await readJson(file, stdin), await readJson(keysFile, stdin)];
    const verdict = await createVerifier(nodeCrypto).file(value, keys);
    print(textOf(verdict));
    return verdict.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof NotDone) && !(error instanceof TypeError)) throw error;
    print(`${error.message}\n`);
    return 2;
  }
}

/** Everything shown has its grammar, so a file cannot write anything else to a terminal. */
function textOf(verdict: Facts | Refused): string {
  if (!verdict.ok) {
    const place = verdict.at === '' ? 'the whole value' : verdict.at;
    return `refused: ${verdict.reason} at ${place}\n  ${verdict.says}\n`;
  }
  const { ok: _ok, kind, ...facts } = verdict;
  const lines = Object.entries<string | number | boolean | readonly string[]>(facts).map(
    ([name, value]) => `  ${name}: ${shown(value)}\n`,
  );
  return `verified ${kind}\n${lines.join('')}`;
}

function shown(value: string | number | boolean | readonly string[]): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}

async function readJson(name: string, stdin: Chunks): Promise<unknown> {
  const parsed = parseJson(
    await readWhole(name, name === '-' ? stdin : createReadStream(name)),
    Infinity,
  );
  if (parsed.ok) return parsed.value;
  throw new NotDone(
    `${name} is not JSON with one meaning: ${parsed.why.replace('the body', 'it')}.`,
  );
}

async function readWhole(name: string, chunks: Chunks): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      read.push(chunk);
      size += chunk.length;
      if (size > FILE_BYTES_MAX) break;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new NotDone(`${name} cannot be read: ${code}.`);
  }
  if (size > FILE_BYTES_MAX) throw new NotDone(`${name} has more than ${FILE_BYTES_MAX} bytes.`);
  return Buffer.concat(read);
}
