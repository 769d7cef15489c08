import { createReadStream } from 'node:fs';
import { parseJson } from '../../../domain/json.ts';
import { verify as verifier } from '../node.ts';
import { checkReceipt, isReceiptFile } from '../verify/receipt.ts';
import type { Facts, Refused } from '../verify/verdict.ts';
import { textOf, UsageError, wordsOf, type Call, type Command } from './command.ts';
import { homeOf, hubKeysFile } from './home.ts';
import { show } from './show.ts';

/** `hub verify`: checks signed objects from saved answers, without the hub (spec/BYTES.md). */
type Chunks = AsyncIterable<Uint8Array>;
interface ReceiptFacts {
  readonly ok: true;
  readonly kind: 'receipt';
  /** In the pulse of this minute the hub promised to have had the receipt. */
  readonly minute: string;
}
type Verdict = Facts | Refused | ReceiptFacts;

/** Nearly two months of pulses. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
const NO_KEYS =
  'there are no kept keys to check under: save GET /keys of the hub and name the file';

export const verify: Command = {
  usage: 'verify FILE [--keys FILE]',
  summary: 'checks what a hub signed: receipts, pulses, stamps, the log',
  options: { keys: { type: 'string' } },
  help: `FILE is a receipt of "hub work", a pulse, a stamp or its proof, the signed time, a sealed block,
an attestation, a receipt with its proof in the log ("hub proof"), two checkpoints of the log, or a
chain of pulses or blocks; - takes standard input.
  --keys FILE    the saved answer of GET /keys; what the home folder kept of the hub when absent:
                 curl -s -H 'accept: application/json' https://hub.example/keys >keys.json
`,
  run: async (call) => {
    const [file = ''] = wordsOf(call, 'FILE');
    const value = await readJson(call, file, `${file} cannot be read`);
    const verdict = await check(value, await readKeys(call));
    show(call, verdict, () => textOfVerdict(verdict));
    return verdict.ok ? 0 : 1;
  },
};

async function readKeys(call: Call): Promise<unknown> {
  const named = textOf(call, 'keys');
  if (named !== undefined) return readJson(call, named, `${named} cannot be read`);
  return readJson(call, hubKeysFile(await homeOf(call)), NO_KEYS);
}

async function check(value: unknown, keys: unknown): Promise<Verdict> {
  try {
    if (!isReceiptFile(value)) return await verifier.file(value, keys);
    const found = await checkReceipt(value, keys, verifier);
    if (found.ok) return { ...found, kind: 'receipt' };
    return { ok: false, reason: 'digest', at: 'receipt', says: found.says };
  } catch (error) {
    // The list of keys cannot be used.
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Everything shown has its grammar, so a file cannot write anything else to a terminal. */
export function textOfVerdict(verdict: Verdict): string {
  if (!verdict.ok) {
    const place = verdict.at === '' ? 'the whole value' : verdict.at;
    return `refused: ${verdict.reason} at ${place}\n  ${verdict.says}\n`;
  }
  const { ok: _ok, kind, ...facts } = verdict;
  const lines = Object.entries<string | number | boolean | readonly string[]>(facts).map(
    ([name, value]) => `  ${name}: ${typeof value === 'object' ? value.join(', ') : value}\n`,
  );
  return `verified ${kind}\n${lines.join('')}`;
}

async function readJson({ io }: Call, name: string, why: string): Promise<unknown> {
  const bytes = await readWhole(name, name === '-' ? io.stdin : createReadStream(name), why);
  const parsed = parseJson(bytes, Infinity);
  if (parsed.ok) return parsed.value;
  const reported = parsed.why.replace('the body', 'it');
  throw new UsageError(`${name} is not JSON with one meaning: ${reported}`);
}

async function readWhole(name: string, chunks: Chunks, why: string): Promise<Uint8Array> {
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
    throw new UsageError(`${why}: ${code}`);
  }
  if (size > FILE_BYTES_MAX) throw new UsageError(`${name} has more than ${FILE_BYTES_MAX} bytes`);
  return Buffer.concat(read);
}
