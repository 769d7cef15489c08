import type { Delivery, DeliveryOutcome } from '../../domain/webhooks/webhook.ts';
import * as column from '../batch/columns.ts';
import { one } from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

export const WEBHOOK_DELIVERIES = table(
  'webhook_deliveries',
  {
    id: column.text().key(),
    webhookId: column.text(),
    account: column.account(),
    messageId: column.text(),
    kind: column.text(),
    outcome: column.text<DeliveryOutcome>(),
    attempt: column.integer(),
    status: column.integer().optional(),
    fault: column.text().optional(),
    durationMs: column.integer(),
    at: column.moment(),
    body: column.text(),
  },
  { use: 'single', personal: { owner: 'account' } },
);

const INSERT = statement(WEBHOOK_DELIVERIES.insertion);
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
  const { webhookId, outcome } = delivery;
  await linkOf(tx).rows(INSERT, WEBHOOK_DELIVERIES.cells(delivery));
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
  return rows.map(WEBHOOK_DELIVERIES.fromRow);
}

const ONE = statement(
  'SELECT * FROM webhook_deliveries WHERE id = ? AND account = ? AND webhook_id = ?',
);

export async function deliveryOf(
  db: Reader,
  { id, account, webhookId }: Pick<Delivery, 'id' | 'account' | 'webhookId'>,
): Promise<Delivery | undefined> {
  const row = one(await linkOf(db).rows(ONE, [id, account, webhookId]));
  return row && WEBHOOK_DELIVERIES.fromRow(row);
}

const REVIVE = statement(`
  UPDATE webhook_deliveries SET outcome = 'failed' WHERE id = ? AND outcome = 'dead'`);

/** Ends a dead letter whose event was delivered by a later attempt. */
export async function reviveLetter(tx: Writer, id: string): Promise<void> {
  await linkOf(tx).rows(REVIVE, [id]);
}
