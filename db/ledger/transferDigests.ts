import { sha256Hex } from '../../domain/digest.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { eachInTurns } from '../turns.ts';

/** The hash of a transfer: SHA-256 over its canonical JSON (RFC 8785) with its entries. */
export interface TransferDigest {
  readonly seq: number;
  readonly transferId: string;
  readonly at: Instant;
  /** Its canonical JSON with its entries. */
  readonly text: string;
  readonly digest: string;
}

const TRANSFERS = statement(`SELECT * FROM transfers
  WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`);
const NEWEST = statement('SELECT coalesce(max(seq), 0) AS newest FROM transfers');
const ENTRIES = statement(`
  SELECT e.transfer_seq, a.name, a.shard, e.account_seq, e.kind, e.reason, e.counterparty, e.delta,
    e.posted_after, e.held_after
  FROM entries e JOIN accounts a ON a.id = e.account_id
  WHERE e.transfer_seq BETWEEN ? AND ?`);

/** Transfers after one sequence number and up to another, in their order, at most `limit`. */
export async function transferDigests(
  db: Reader,
  { after, upTo, limit }: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<readonly TransferDigest[]> {
  const transfers = await linkOf(db).rows(TRANSFERS, [after, upTo, limit]);
  const [first, last] = [transfers[0], transfers.at(-1)];
  if (first === undefined || last === undefined) return [];
  const entries = new Map<number, Entry[]>();
  for (const row of await linkOf(db).rows(ENTRIES, [
    column.whole(first, 'seq'),
    column.whole(last, 'seq'),
  ])) {
    const seq = column.whole(row, 'transfer_seq');
    const list = entries.get(seq) ?? [];
    entries.set(seq, list);
    list.push(entryOf(row));
  }
  const digests: TransferDigest[] = [];
  await eachInTurns(transfers, (row) => {
    digests.push(digestOf(row, entries.get(column.whole(row, 'seq')) ?? []));
  });
  return digests;
}

export async function newestTransfer(db: Reader): Promise<TransferDigest | undefined> {
  const row = column.one(await linkOf(db).rows(NEWEST, []));
  const newest = row === undefined ? 0 : column.whole(row, 'newest');
  return column.one(await transferDigests(db, { after: newest - 1, upTo: newest, limit: 1 }));
}

type Entry = ReturnType<typeof entryOf>;

function digestOf(row: Row, entries: Entry[]): TransferDigest {
  const seq = column.whole(row, 'seq');
  const at = column.time(row, 'at');
  const transferId = column.text(row, 'id');
  // In the order of RFC 8785, of which `JSON.stringify` does the rest in a fifth of the time.
  const text = JSON.stringify({
    actor: column.text(row, 'actor'),
    asset: column.text(row, 'asset'),
    at,
    // Ordered here: databases differ on the order of texts.
    entries: entries.sort(byPlace),
    event: column.text(row, 'event'),
    id: transferId,
    memo: column.textOrNull(row, 'memo'),
    network: column.text(row, 'network'),
    refId: column.text(row, 'ref_id'),
    refKind: column.text(row, 'ref_kind'),
    seq,
  });
  return { seq, transferId, at, text, digest: sha256Hex(text) };
}

function entryOf(row: Row) {
  return {
    account: column.text(row, 'name'),
    accountSeq: column.whole(row, 'account_seq'),
    counterparty: column.textOrNull(row, 'counterparty'),
    delta: `${column.signed(row, 'delta')}`,
    heldAfter: `${column.signed(row, 'held_after')}`,
    kind: column.text(row, 'kind'),
    postedAfter: `${column.signed(row, 'posted_after')}`,
    reason: column.text(row, 'reason'),
    shard: column.whole(row, 'shard'),
  };
}

function byPlace(a: Entry, b: Entry): number {
  if (a.account !== b.account) return a.account < b.account ? -1 : 1;
  return a.shard - b.shard || a.accountSeq - b.accountSeq;
}
