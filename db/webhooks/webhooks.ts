import type { Account, KeyId } from '../../domain/account.ts';
import { cursorText, parseCursor, type EventCursor } from '../../domain/eventCursor.ts';
import type { Instant } from '../../domain/instant.ts';
import { ASSET } from '../../domain/network.ts';
import {
  WEBHOOKS_MAX,
  type SigningKeys,
  type Webhook,
  type WebhookState,
} from '../../domain/webhooks/webhook.ts';
import { lockWebhooks } from '../advisoryLocks.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

const COLUMNS = [
  'id',
  'account',
  'url',
  'types',
  'state',
  'why',
  'created_at',
  'cursor',
  'settled',
  'dropped',
  'failures',
  'failed_sequence',
  'next_at',
  'failing_since',
  'pace_ms',
  'key_id',
  'version',
  'former_key_id',
  'former_version',
  'former_until',
  'made_by',
  'revision',
] as const;
const COUNT = statement('SELECT count(*) AS n FROM webhooks WHERE account = ?');
const INSERT = statement(`
  INSERT INTO webhooks (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`);

/** Stores a webhook. Returns false if the account is at its limit. */
export async function insertWebhook(tx: Writer, webhook: Webhook): Promise<boolean> {
  const link = linkOf(tx);
  await lockWebhooks(tx, webhook.account);
  const row = column.one(await link.rows(COUNT, [webhook.account]));
  if (row === undefined || Number(row['n']) >= WEBHOOKS_MAX) return false;
  await link.rows(INSERT, cellsOf(webhook));
  return true;
}

/** The numbers of everything that happened to the account of `w`, summed. */
const HAPPENED = `
  coalesce((SELECT h.seq FROM account_event_heads h WHERE h.account = w.account), 0)
    + coalesce((SELECT CAST(sum(a.seq) AS INTEGER) FROM networks n JOIN accounts a
        ON a.network = n.id AND a.asset = ? AND a.name = w.account AND a.shard = 0), 0)`;
const ofAccount = (more: string): string => `
  SELECT w.*, ${HAPPENED} - w.settled AS waiting FROM webhooks w
    WHERE w.account = ?${more} ORDER BY w.id`;
const wide = (text: string): [string, string] => [text, text.replaceAll('AS INTEGER', 'AS BIGINT')];
const LIST = statement(...wide(ofAccount('')));
const ONE = statement(...wide(ofAccount(' AND w.id = ?')));

/** A webhook, and how many events are behind its cursor. */
export interface WaitingWebhook {
  readonly webhook: Webhook;
  readonly waiting: number;
}

export async function webhooksOf(db: Reader, account: Account): Promise<readonly WaitingWebhook[]> {
  return (await linkOf(db).rows(LIST, [ASSET, account])).map(waitingOf);
}

export async function webhookOf(
  db: Reader,
  account: Account,
  id: string,
): Promise<WaitingWebhook | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [ASSET, account, id]));
  return row && waitingOf(row);
}

const LOCK = statement(
  'SELECT * FROM webhooks WHERE account = ? AND id = ?',
  'SELECT * FROM webhooks WHERE account = ? AND id = ? FOR UPDATE',
);

export async function lockWebhook(
  tx: Writer,
  account: Account,
  id: string,
): Promise<Webhook | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [account, id]));
  return row && webhookIn(row);
}

const SET = COLUMNS.slice(2)
  .map((name) => `${name} = ?`)
  .join(', ');
const SAVE = statement(`UPDATE webhooks SET ${SET} WHERE id = ?`);

/** Saves a locked webhook; an attempt that is under way keeps its claim. */
export async function saveWebhook(tx: Writer, webhook: Webhook): Promise<void> {
  await linkOf(tx).rows(SAVE, [...cellsOf(webhook).slice(2), webhook.id]);
}

const PROGRESS = statement(`
  UPDATE webhooks SET ${SET}, claimed_until = ? WHERE id = ? AND claim = ? AND revision = ?
  RETURNING 1 AS done`);

/** A process that alone sends for a webhook, until a moment at which another may. */
export interface Claim {
  readonly claim: string;
  readonly until: Instant;
}

/** Saves progress and renews a claim. Returns false if it was lost or the webhook was changed. */
export async function saveProgress(
  tx: Writer,
  webhook: Webhook,
  { claim, until }: Claim,
): Promise<boolean> {
  const values = [...cellsOf(webhook).slice(2), until, webhook.id, claim, webhook.revision];
  return (await linkOf(tx).rows(PROGRESS, values)).length > 0;
}

const CLAIM = statement(`
  UPDATE webhooks SET claim = ?, claimed_until = ?
    WHERE id = ? AND state = 'active' AND next_at <= ?
      AND (claimed_until IS NULL OR claimed_until <= ?)
  RETURNING *`);

/** Claims a webhook that is due; undefined when another process was first. */
export async function claimWebhook(
  tx: Writer,
  id: string,
  { claim, until }: Claim,
  now: Instant,
): Promise<Webhook | undefined> {
  const row = column.one(await linkOf(tx).rows(CLAIM, [claim, until, id, now, now]));
  return row && webhookIn(row);
}

const RELEASE = statement(`
  UPDATE webhooks SET claim = NULL, claimed_until = NULL WHERE id = ? AND claim = ?`);

export async function releaseWebhook(tx: Writer, id: string, claim: string): Promise<void> {
  await linkOf(tx).rows(RELEASE, [id, claim]);
}

const SCAN = statement(
  ...wide(`
  SELECT w.id, w.account, w.url, w.pace_ms,
      CASE WHEN w.next_at <= ? AND (w.claimed_until IS NULL OR w.claimed_until <= ?)
        THEN ${HAPPENED} - w.settled ELSE 0 END AS waiting
    FROM webhooks w WHERE w.state = 'active' AND w.id > ? ORDER BY w.id LIMIT ?`),
);

export interface Scanned {
  readonly id: string;
  readonly account: Account;
  readonly url: string;
  readonly paceMs: number;
  /** Whether something can be sent to it now. */
  readonly isDue: boolean;
}

/** Returns active webhooks behind an id, in the order of their ids. */
export async function scanWebhooks(
  db: Reader,
  after: string,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): Promise<readonly Scanned[]> {
  const rows = await linkOf(db).rows(SCAN, [now, now, ASSET, after, limit]);
  return rows.map((row) => ({
    id: column.text(row, 'id'),
    account: column.account(row, 'account'),
    url: column.text(row, 'url'),
    paceMs: column.whole(row, 'pace_ms'),
    isDue: Number(row['waiting']) > 0,
  }));
}

const DROP = statement('DELETE FROM webhooks WHERE id = ?');

/** Deletes a webhook; the database deletes its deliveries with it. */
export async function deleteWebhook(tx: Writer, id: string): Promise<void> {
  await linkOf(tx).rows(DROP, [id]);
}

const END = statement(`
  UPDATE webhooks SET state = 'disabled', why = ?, revision = revision + 1
  WHERE account = ? AND made_by = ? AND state <> 'disabled' RETURNING id`);

/** Disables the webhooks of a key that ended. Returns their ids. */
export async function endWebhooksOf(
  tx: Writer,
  {
    account,
    madeBy,
    why,
  }: { readonly account: Account; readonly madeBy: KeyId; readonly why: string },
): Promise<readonly string[]> {
  const rows = await linkOf(tx).rows(END, [why, account, madeBy]);
  return rows.map((row) => column.text(row, 'id'));
}

const ERASE = statement('DELETE FROM webhooks WHERE account = ? RETURNING 1 AS done');

/** Deletes the webhooks of an account with their deliveries. Returns how many. */
export async function eraseWebhooks(tx: Writer, account: Account): Promise<number> {
  return (await linkOf(tx).rows(ERASE, [account])).length;
}

function settledOf({ events, money }: EventCursor): number {
  return [...money.values()].reduce((sum, seq) => sum + seq, events);
}

function cellsOf(webhook: Webhook): (string | number | null)[] {
  const { cursor, keys, former } = webhook;
  return [
    webhook.id,
    webhook.account,
    webhook.url,
    JSON.stringify(webhook.types),
    webhook.state,
    webhook.why ?? null,
    webhook.createdAt,
    cursorText(cursor),
    settledOf(cursor),
    webhook.dropped,
    webhook.failures,
    webhook.failedSequence ?? null,
    webhook.nextAt,
    webhook.failingSince ?? null,
    webhook.paceMs,
    keys.keyId,
    keys.version,
    former?.keyId ?? null,
    former?.version ?? null,
    former?.until ?? null,
    webhook.madeBy ?? null,
    webhook.revision,
  ];
}

function waitingOf(row: Row): WaitingWebhook {
  return { webhook: webhookIn(row), waiting: Math.max(0, Number(row['waiting'])) };
}

function webhookIn(row: Row): Webhook {
  const cursor = parseCursor(column.text(row, 'cursor'));
  if (cursor === undefined) throw new Error('a damaged webhook');
  const until = column.timeOrNull(row, 'former_until');
  return {
    id: column.text(row, 'id'),
    account: column.account(row, 'account'),
    url: column.text(row, 'url'),
    types: column.json(row, 'types') as readonly string[],
    state: column.text(row, 'state') as WebhookState,
    why: column.textOrNull(row, 'why') ?? undefined,
    createdAt: column.time(row, 'created_at'),
    cursor,
    dropped: column.whole(row, 'dropped'),
    failures: column.whole(row, 'failures'),
    failedSequence: column.textOrNull(row, 'failed_sequence') ?? undefined,
    nextAt: column.time(row, 'next_at'),
    failingSince: column.timeOrNull(row, 'failing_since') ?? undefined,
    paceMs: column.whole(row, 'pace_ms'),
    keys: keysIn(row, ''),
    former: until === null ? undefined : { ...keysIn(row, 'former_'), until },
    madeBy: (column.textOrNull(row, 'made_by') ?? undefined) as KeyId | undefined,
    revision: column.whole(row, 'revision'),
  };
}

function keysIn(row: Row, prefix: string): SigningKeys {
  return {
    keyId: column.text(row, `${prefix}key_id`) as KeyId,
    version: column.whole(row, `${prefix}version`),
  };
}
