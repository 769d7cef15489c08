import type { KeyId } from '../../domain/account.ts';
import { amount, integer, keyId, moment, text } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { HOSTED_SERVED } from './agents.ts';

/** Calls of hosted agents: `caller` (an account or `visitor`) and outcome. No content is stored. */
export const HOSTED_CALLS = table(
  'hosted_calls',
  {
    id: text().key(),
    keyId: keyId().fixed(),
    at: moment().fixed(),
    caller: text().fixed(),
    tool: text().fixed(),
    price: amount().fixed(),
    outcome: text<'served' | 'failed' | 'refused' | 'unknown'>().fixed(),
    why: text().fixed(),
    durationMs: integer().fixed(),
    receiptId: text().fixed().optional(),
  },
  {
    personal: { owner: 'caller', stays: 'The holder was paid by it.' },
    use: 'append',
    under: [HOSTED_SERVED],
  },
);

export type HostedCall = RowIn<typeof HOSTED_CALLS>;

const PAGE = statement(`
  SELECT * FROM hosted_calls WHERE key_id = ? AND id < ? ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

/** A page, newest first; `next` is the `before` of the page that follows. */
export async function hostedCallPage(
  db: Reader,
  keyId: KeyId,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly calls: readonly HostedCall[]; readonly next?: string }> {
  const rows = await linkOf(db).rows(PAGE, [keyId, before ?? NEWEST, limit + 1]);
  const calls = rows.slice(0, limit).map(HOSTED_CALLS.fromRow);
  const last = calls.at(-1);
  return { calls, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

/** As many as are kept for one agent. */
const HOSTED_CALLS_KEPT = 1_000;
const TRIM = statement(`
  DELETE FROM hosted_calls WHERE id IN (
    SELECT c.id FROM hosted_calls c WHERE c.key_id = ? AND c.id < (
      SELECT n.id FROM hosted_calls n WHERE n.key_id = ? ORDER BY n.id DESC LIMIT 1 OFFSET ?)
    ORDER BY c.id LIMIT ?)
  RETURNING id`);
const LONG = statement(`
  SELECT key_id FROM hosted_calls GROUP BY key_id HAVING count(*) > ? LIMIT 50`);

/** Agents that have more than is kept. */
export async function longCallLists(db: Reader): Promise<readonly KeyId[]> {
  const rows = await linkOf(db).rows(LONG, [HOSTED_CALLS_KEPT]);
  return rows.map((row) => column.text(row, 'key_id') as KeyId);
}

/** Drops the oldest, a batch at a time. */
export async function trimCalls(tx: Writer, keyId: KeyId, batch: number): Promise<number> {
  const values = [keyId, keyId, HOSTED_CALLS_KEPT - 1, batch];
  return (await linkOf(tx).rows(TRIM, values)).length;
}
