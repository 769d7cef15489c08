import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { sha256Hex } from '../../domain/digest.ts';
import { isObject } from '../../domain/jsonObject.ts';
import { linesOf } from '../../domain/lines.ts';
import type { Seal, Sealable } from '../../domain/ledger/seal.ts';
import type { LandedSeal } from '../../domain/ledger/sealCheck.ts';
import type { Pulse } from '../../domain/time/pulse.ts';
import {
  fromBodyText,
  PREFIXES,
  type Kind,
  type SignedObject,
} from '../../domain/time/signedObject.ts';

/**
 * Sealed blocks of the journal in a folder, `blocks-000000000000-000000000041.ndjson.gz`. A block
 * is a line with its seal and pulse, then one line a transfer: the canonical JSON of its digest.
 */
export interface BlockHead {
  readonly seal: Seal;
  readonly landed: LandedSeal;
  readonly pulse: Pulse;
}

interface ArchivedTransfer extends Sealable {
  readonly text: string;
}

export interface ArchivedBlock extends BlockHead {
  readonly transfers: readonly ArchivedTransfer[];
}

/** Objects without their bodies, which are read from the bytes that were signed. */
type Signed = Omit<SignedObject<unknown>, 'body'>;
interface StoredHead {
  readonly seal: Signed;
  readonly landed: LandedSeal;
  readonly pulse: Signed;
}

export function headLine({ seal, landed, pulse }: BlockHead): string {
  const block: StoredHead = { seal: signed(seal), landed, pulse: signed(pulse) };
  return JSON.stringify({ block });
}

function signed({ bytes, digest, signature }: Signed): Signed {
  return { bytes, digest, signature };
}

function headIn({ seal, landed, pulse }: StoredHead): BlockHead {
  return { seal: objectIn('seal', seal), landed, pulse: objectIn('pulse', pulse) };
}

function objectIn<Body>(kind: Kind, { bytes, ...rest }: Signed): SignedObject<Body> {
  const text = Buffer.from(bytes, 'base64url').toString('utf8');
  return fromBodyText(kind, text.slice(PREFIXES[kind].length), rest);
}

const DIGITS = 12;
const NAME = /^blocks-(\d{12})-(\d{12})\.ndjson\.gz$/;

export function fileName(first: number, last: number): string {
  const [from, to] = [first, last].map((each) => `${each}`.padStart(DIGITS, '0'));
  return `blocks-${from}-${to}.ndjson.gz`;
}

/** Names of the files in the order of their blocks, and the number of the block behind them. */
export async function filesIn(
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly next: number }> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const last = NAME.exec(names.at(-1) ?? '')?.[2];
  return { names, next: last === undefined ? 0 : Number(last) + 1 };
}

/** Every block of a folder, in order. @throws Error when a line is none of an archive. */
export async function* readBlocks(folder: string): AsyncGenerator<ArchivedBlock> {
  for (const name of (await filesIn(folder)).names) {
    const input = createReadStream(join(folder, name)).pipe(createGunzip());
    let head: BlockHead | undefined;
    let transfers: ArchivedTransfer[] = [];
    for await (const line of linesOf(input)) {
      const value: unknown = JSON.parse(line);
      if (!isObject(value)) throw new Error(`${name} has a line that is no object`);
      if (isObject(value['block'])) {
        if (head !== undefined) yield { ...head, transfers };
        head = headIn(value['block'] as unknown as StoredHead);
        transfers = [];
      } else {
        transfers.push({ seq: Number(value['seq']), text: line, digest: sha256Hex(line) });
      }
    }
    if (head !== undefined) yield { ...head, transfers };
  }
}
