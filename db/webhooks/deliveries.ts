import type { Delivery, DeliveryOutcome } from '../../domain/webhooks/webhook.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

const COLUMNS = [
  'id',
  'webhook_id',
  'account',
  'message_id',
  'kind',
  'outcome',
  'attempt',
  'status',
  'fault',
  'duration_ms',
  'at',
  'body',
] as const;
const INSERT = statement(`
  INSERT INTO webhook_deliveries (${COLUMNS.join(', ')})
    VALUES (${COLUMNS.map(() => '?').join(', ')})`);
const trimmed = (which: string): string => `
  DELETE FROM webhook_deliveries WHERE webhook_id = ? AND outcome ${which} AND id < (
    SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND outcome ${which}
      ORDER BY id DESC LIMIT 1 OFFSET ?)`;
const TRIM = statement(trimmed("IN ('delivered', 'failed')"));
const TRIM_DEAD = statement(trimmed("= 'dead'"));
/** Attempts that are kept of one webhook, and dead letters beside them. */
const KEPT = 100;

/** Stores an attempt; the oldest ones make room. */
export async function insertDelivery(tx: Writer, delivery: Delivery): Promise<void> {
  const { id, webhookId, account, messageId, kind, outcome, attempt, durationMs, at } = delivery;
  const { status, fault, body } = delivery;
  const first = [id, webhookId, account, messageId, kind, outcome, attempt];
  const rest = [status ?? null, fault ?? null, durationMs, at, body];
  await linkOf(tx).rows(INSERT, [...first, ...rest]);
  const trim = outcome === 'dead' ? TRIM_DEAD : TRIM;
  await linkOf(tx).rows(trim, [webhookId, webhookId, KEPT - 1]);
}

const page = (which: string): string => `
  SELECT * FROM webhook_deliveries WHERE account = ? AND webhook_id = ? AND ${which} AND id < ?
    ORDER BY id DESC LIMIT ?`;
const PAGE = statement(page("outcome IN ('delivered', 'failed', 'dead')"));
const PAGE_OF = statement(page('outcome = ?'));
/** Sorts after every id. */
const NEWEST = 'g';

/** A page of the attempts of a webhook, newest first. */
export async function deliveriesOf(
  db: Reader,
  { account, webhookId }: Pick<Delivery, 'account' | 'webhookId'>,
  {
    outcome,
    before = NEWEST,
    limit,
  }: { readonly outcome?: DeliveryOutcome; readonly before?: string; readonly limit: number },
): Promise<readonly Delivery[]> {
  const rows = await (outcome === undefined
    ? linkOf(db).rows(PAGE, [account, webhookId, before, limit])
    : linkOf(db).rows(PAGE_OF, [account, webhookId, outcome, before, limit]));
  return rows.map(deliveryIn);
}

const ONE = statement(
  'SELECT * FROM webhook_deliveries WHERE id = ? AND account = ? AND webhook_id = ?',
);

export async function deliveryOf(
  db: Reader,
  { id, account, webhookId }: Pick<Delivery, 'id' | 'account' | 'webhookId'>,
): Promise<Delivery | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [id, account, webhookId]));
  return row && deliveryIn(row);
}

const REVIVE = statement(`
  UPDATE webhook_deliveries SET outcome = 'failed' WHERE id = ? AND outcome = 'dead'`);

/** Ends a dead letter whose event was delivered by a later attempt. */
export async function reviveLetter(tx: Writer, id: string): Promise<void> {
  await linkOf(tx).rows(REVIVE, [id]);
}

function deliveryIn(row: Row): Delivery {
  const status = column.wholeOrNull(row, 'status');
  const fault = column.textOrNull(row, 'fault');
  return {
    id: column.text(row, 'id'),
    webhookId: column.text(row, 'webhook_id'),
    account: column.account(row, 'account'),
    messageId: column.text(row, 'message_id'),
    kind: column.text(row, 'kind'),
    outcome: column.text(row, 'outcome') as DeliveryOutcome,
    attempt: column.whole(row, 'attempt'),
    ...(status !== null && { status }),
    ...(fault !== null && { fault }),
    durationMs: column.whole(row, 'duration_ms'),
    at: column.time(row, 'at'),
    body: column.text(row, 'body'),
  };
}
