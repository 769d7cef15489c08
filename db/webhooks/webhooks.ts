import type { Account, KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { cursorText, parseCursor, type EventCursor } from '../../domain/eventCursor.ts';
import type { Instant } from '../../domain/instant.ts';
import { ASSET } from '../../domain/network.ts';
import { WEBHOOKS_MAX, type Webhook, type WebhookState } from '../../domain/webhooks/webhook.ts';
import { lockWebhooks } from '../advisoryLocks.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';

export const WEBHOOKS = shaped(
  table(
    'webhooks',
    {
      id: columns.text().key(),
      account: columns.account().fixed(),
      url: columns.text(),
      types: columns.json<readonly string[]>(),
      state: columns.text<WebhookState>(),
      why: columns.text().optional(),
      createdAt: columns.moment(),
      cursor: columns.column<EventCursor>('text', cursorText, cursorIn),
      settled: columns.integer(),
      dropped: columns.integer(),
      failures: columns.integer(),
      failedSequence: columns.text().optional(),
      nextAt: columns.moment(),
      failingSince: columns.moment().optional(),
      paceMs: columns.integer(),
      keyId: columns.keyId(),
      version: columns.integer(),
      formerKeyId: columns.keyId().optional(),
      formerVersion: columns.integer().optional(),
      formerUntil: columns.moment().optional(),
      madeBy: columns.keyId().optional(),
      revision: columns.integer(),
      claim: columns.text().optional().counted(),
      claimedUntil: columns.moment().optional().counted(),
    },
    { use: 'single', personal: { owner: 'account' } },
  ),
  {
    of({ keyId, version, formerKeyId, formerVersion, formerUntil: until, ...row }): Webhook {
      const { settled: _, claim: __, claimedUntil: ___, ...webhook } = row;
      const { why, failedSequence, failingSince, madeBy } = row;
      const former =
        formerKeyId === undefined || formerVersion === undefined || until === undefined
          ? undefined
          : { keyId: formerKeyId, version: formerVersion, until };
      const maybe = { why, failedSequence, failingSince, former, madeBy };
      return { ...webhook, keys: { keyId, version }, ...maybe };
    },
    flat({ keys, former, why, failedSequence, failingSince, madeBy, ...webhook }) {
      const old = {
        formerKeyId: former?.keyId,
        formerVersion: former?.version,
        formerUntil: former?.until,
      };
      const maybe = defined({ why, failedSequence, failingSince, madeBy, ...old });
      return { ...webhook, ...keys, ...maybe, settled: settledOf(webhook.cursor) };
    },
  },
);

const COUNT = statement('SELECT count(*) AS n FROM webhooks WHERE account = ?');
const INSERT = statement(WEBHOOKS.insertion);

/** Stores a webhook. Returns false if the account is at its limit. */
export async function insertWebhook(tx: Writer, webhook: Webhook): Promise<boolean> {
  const link = linkOf(tx);
  await lockWebhooks(tx, webhook.account);
  const row = column.one(await link.rows(COUNT, [webhook.account]));
  if (row === undefined || Number(row['n']) >= WEBHOOKS_MAX) return false;
  await link.rows(INSERT, WEBHOOKS.cells(webhook));
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
  return row && WEBHOOKS.fromRow(row);
}

const SAVE = statement(`${WEBHOOKS.change} WHERE id = ?`);

/** Saves a locked webhook; an attempt that is under way keeps its claim. */
export async function saveWebhook(tx: Writer, webhook: Webhook): Promise<void> {
  await linkOf(tx).rows(SAVE, [...WEBHOOKS.changes(webhook), webhook.id]);
}

const PROGRESS = statement(`
  ${WEBHOOKS.change}, claimed_until = ? WHERE id = ? AND claim = ? AND revision = ?
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
  const values = [...WEBHOOKS.changes(webhook), until, webhook.id, claim, webhook.revision];
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
  return row && WEBHOOKS.fromRow(row);
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

function waitingOf(row: Row): WaitingWebhook {
  return { webhook: WEBHOOKS.fromRow(row), waiting: Math.max(0, Number(row['waiting'])) };
}

function cursorIn(cell: unknown, name: string): EventCursor {
  const cursor = parseCursor(column.textOf(cell, name));
  if (cursor === undefined) throw column.wrong(name, cell);
  return cursor;
}
