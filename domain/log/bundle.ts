import type { LogLeaf } from './final.ts';
import { entryText } from './receipts.ts';

/** The entries of a tile, each behind its length as two bytes (C2SP tlog-tiles). */
export function bundleOf(leaves: readonly LogLeaf[]): Uint8Array {
  const entries = leaves.flatMap(({ kind, digest }) => {
    const entry = Buffer.from(entryText(kind, digest));
    const length = Buffer.alloc(2);
    length.writeUInt16BE(entry.length);
    return [length, entry];
  });
  return Buffer.concat(entries);
}
