import { mkdir } from 'node:fs/promises';
import { parseInstant } from '../../domain/instant.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { sealFaults } from '../../domain/ledger/sealCheck.ts';
import type { Seal } from '../../domain/ledger/seal.ts';
import { auditPath, leafHash, rootOf } from '../../domain/time/merkle.ts';
import { readBlocks } from '../archive/block.ts';
import { writeArchive } from '../archive/write.ts';
import { readSettings } from '../boot/config.ts';
import { sealVerifier } from '../archive/sealVerifier.ts';
import { inDatabase, type Command, type Print } from './command.ts';

/** Copies sealed blocks of the journal into files that prove themselves, and proves from them. */
export const archive: Command = async (words, env, print) => {
  const [first = '', second = '', third = ''] = words;
  if (words.includes('') || words.length > 3) return undefined;
  if (first === 'verify') return words.length === 2 ? verify(second, print) : undefined;
  if (first === 'prove') return words.length === 3 ? prove(second, third, print) : undefined;
  if (words.length === 1) return write(first, monthBegan(), env, print);
  const until = second === '--until' ? parseInstant(third) : undefined;
  return until === undefined ? undefined : write(first, until, env, print);
};

/** Whole months by default: an archive is then the same, whenever in a month it is made. */
function monthBegan(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

async function write(
  folder: string,
  before: number,
  env: Readonly<Record<string, string | undefined>>,
  print: Print,
): Promise<0 | 2> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return inDatabase(readSettings(env), print, async (store) => {
    const { blocks, transfers, files } = await writeArchive(store, folder, before);
    print(`${folder}: ${blocks} more blocks with ${transfers} transfers in ${files} files.\n`);
    return 0;
  });
}

/** Each block holds with the one before, its transfers and its pulse. */
async function verify(folder: string, print: Print): Promise<0 | 1> {
  const check = sealVerifier();
  let before: Seal | undefined;
  let [blocks, transfers] = [0, 0];
  const keys = new Set<string>();
  for await (const block of readBlocks(folder)) {
    const faults = sealFaults({ ...block, before }, check);
    if (faults.length > 0) {
      print(
        `Block ${block.seal.body.blockNo}: it does not hold that ${faults.join(', and that ')}.\n`,
      );
      return 1;
    }
    blocks += 1;
    transfers += block.transfers.length;
    keys.add(block.seal.body.keyId);
    before = block.seal;
  }
  print(`${blocks} blocks with ${transfers} transfers hold, up to transfer ${before?.body.toSeq ?? 0}.
Signed by ${[...keys].join(', ')}; compare with the keys of the hub.
`);
  return 0;
}

/** Prints a transfer with its way to the root of its block, and the block with its way to a pulse. */
async function prove(folder: string, transferId: string, print: Print): Promise<0 | 1> {
  const check = sealVerifier();
  let before: Seal | undefined;
  for await (const block of readBlocks(folder)) {
    const index = block.transfers.findIndex(({ text }) => idIn(text) === transferId);
    const found = block.transfers[index];
    if (found !== undefined && sealFaults({ ...block, before }, check).length === 0) {
      const { transfers, ...head } = block;
      const leaves = transfers.map(({ digest }) => leafHash(Buffer.from(digest, 'hex')));
      const path = auditPath(index, leaves.length, (from, to) => rootOf(leaves.slice(from, to)));
      const hex = path.map((hash) => Buffer.from(hash).toString('hex'));
      const transfer = JSON.parse(found.text) as unknown;
      const proof = { transfer, digest: found.digest, index, path: hex, ...head };
      print(`${JSON.stringify(proof, undefined, 2)}\n`);
      return 0;
    }
    before = block.seal;
  }
  print(`No block of ${folder} that holds has the transfer ${transferId}.\n`);
  return 1;
}

function idIn(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value['id'] : undefined;
}
