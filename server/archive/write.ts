import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sealPage } from '../../db/ledger/seals.ts';
import { transferDigests } from '../../db/ledger/transferDigests.ts';
import type { Store } from '../../db/store.ts';
import { readPulse } from '../../db/time/pulses.ts';
import { fileName, filesIn, headLine, type ArchivedBlock } from './block.ts';

/** Transfers after which a file ends. */
const FILE_TRANSFERS_MAX = 1_000_000;
const OWNER_ONLY = 0o600;

export interface Written {
  readonly blocks: number;
  readonly transfers: number;
  readonly files: number;
}

/**
 * Writes the blocks that were sealed before a moment and have their pulse, from the first one that
 * the folder does not have. A file gets its name when it is whole.
 */
export async function writeArchive(store: Store, folder: string, before: number): Promise<Written> {
  let [blocks, transfers, files] = [0, 0, 0];
  for (let { next } = await filesIn(folder); ; files += 1) {
    const first = next;
    const part = join(folder, 'next.part');
    let count = 0;
    const lines = async function* (): AsyncGenerator<string> {
      while (count < FILE_TRANSFERS_MAX) {
        const block = await blockOf(store, next, before);
        if (block === undefined) return;
        yield `${headLine(block)}\n`;
        for (const { text } of block.transfers) yield `${text}\n`;
        count += block.transfers.length;
        next += 1;
      }
    };
    const file = createWriteStream(part, { mode: OWNER_ONLY, flush: true });
    await pipeline(Readable.from(lines()), createGzip(), file);
    if (next === first) {
      await rm(part);
      return { blocks, transfers, files };
    }
    await rename(part, join(folder, fileName(first, next - 1)));
    blocks += next - first;
    transfers += count;
  }
}

function blockOf(
  store: Store,
  blockNo: number,
  before: number,
): Promise<ArchivedBlock | undefined> {
  return store.read(async (db) => {
    const [stored] = await sealPage(db, blockNo, 1);
    if (stored?.landed === undefined) return undefined;
    const { seal, landed } = stored;
    const { fromSeq, toSeq, count, sealedAt } = seal.body;
    const pulse = await readPulse(db, landed.pulseSeq);
    if (pulse === undefined || Date.parse(sealedAt) >= before) return undefined;
    const transfers = await transferDigests(db, { after: fromSeq - 1, upTo: toSeq, limit: count });
    return { seal, landed, pulse, transfers };
  });
}
