import type { Account } from '../../domain/account.ts';
import { EARNING_REASONS, taskAction } from '../../domain/cases/shape.ts';
import type { CaseStep } from '../../domain/cases/shape.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import { parseReason, type Reason } from '../../domain/ledger/reasons.ts';
import { parseNetworkId, type NetworkId, type NetworkKind } from '../../domain/network.ts';
import type { Atomic } from '../../domain/money.ts';
import type { TaskMode, Verification } from '../../domain/tasks/model.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Acts of accounts, read from histories that exist anyway, and the position of that reading. */
export interface EarningEntry {
  readonly transferSeq: number;
  readonly transferId: string;
  readonly account: Account;
  readonly reason: Reason;
  readonly amount: Atomic;
  readonly network: NetworkId;
  readonly networkKind: NetworkKind;
  readonly at: Instant;
  readonly task?: {
    readonly verification: Verification;
    readonly mode: TaskMode;
    readonly inChain: boolean;
  };
}

export const CASE_PROGRESS = table(
  'case_progress',
  { one: columns.integer().key(), readTo: columns.integer() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const LOCK = statement(
  'SELECT * FROM case_progress WHERE one = 1',
  'SELECT * FROM case_progress WHERE one = 1 FOR UPDATE',
);
const MOVE = statement('UPDATE case_progress SET read_to = ? WHERE one = 1');

/** The last transfer that was read; processes take turns on the row. */
export async function lockProgress(tx: Writer): Promise<number> {
  const row = column.one(await linkOf(tx).rows(LOCK, []));
  if (row === undefined) throw new Error('the progress of the cases has its row');
  return CASE_PROGRESS.fromRow(row).readTo;
}

export async function saveProgress(tx: Writer, readTo: number): Promise<void> {
  await linkOf(tx).rows(MOVE, [readTo]);
}

const REASONS = EARNING_REASONS.map((reason) => `'${reason}'`).join(', ');
const EARNED = statement(`
  SELECT e.transfer_seq, t.id AS transfer_id, a.name, e.reason, e.delta, a.network, n.kind, e.at,
         k.verification, k.mode, k.chain_id
    FROM entries AS e
    JOIN transfers AS t ON t.seq = e.transfer_seq
    JOIN accounts AS a ON a.id = e.account_id
    JOIN networks AS n ON n.id = a.network
    LEFT JOIN tasks AS k ON t.ref_kind = 'task' AND k.id = t.ref_id
   WHERE e.transfer_seq > ? AND e.transfer_seq <= ? AND e.kind = 'move' AND e.delta > 0
     AND e.reason IN (${REASONS}) AND a.class = 'user' AND coalesce(e.counterparty, '') <> a.name
   ORDER BY e.transfer_seq, e.account_id, e.account_seq`);

/** Returns the earnings in a stretch of the journal, in its order. */
export async function earningsIn(
  db: Reader,
  stretch: { readonly after: number; readonly to: number },
): Promise<readonly EarningEntry[]> {
  return (await linkOf(db).rows(EARNED, [stretch.after, stretch.to])).map(earningOf);
}

function earningOf(row: Row): EarningEntry {
  const network = parseNetworkId(column.text(row, 'network'));
  const reason = parseReason(column.text(row, 'reason'));
  if (network === undefined || reason === undefined) throw new Error('an entry of no known kind');
  return {
    transferSeq: column.whole(row, 'transfer_seq'),
    transferId: column.text(row, 'transfer_id'),
    account: column.account(row, 'name'),
    reason,
    amount: column.amount(row, 'delta'),
    network,
    networkKind: kindIn(row),
    at: column.time(row, 'at'),
    ...(typeof row['mode'] === 'string' && {
      task: {
        verification: verificationIn(row),
        mode: modeIn(row),
        inChain: row['chain_id'] !== null,
      },
    }),
  };
}

export const CASE_RUNS = table(
  'case_runs',
  { account: columns.account().key(), endedAt: columns.moment() },
  { use: 'single', personal: { apart: 'cases are rebuilt from tasks' } },
);
const ENDED = statement('SELECT * FROM case_runs WHERE account = ?');
const END = statement(`
  ${CASE_RUNS.insertion} ON CONFLICT (account) DO UPDATE SET ${CASE_RUNS.replacement}`);

/** When the account last earned; the beginning of time when it never did. */
export async function lastEarned(db: Reader, account: Account): Promise<Instant> {
  const row = column.one(await linkOf(db).rows(ENDED, [account]));
  return row === undefined ? instant(0) : CASE_RUNS.fromRow(row).endedAt;
}

export async function saveEarned(tx: Writer, account: Account, endedAt: Instant): Promise<void> {
  await linkOf(tx).rows(END, CASE_RUNS.cells({ account, endedAt }));
}

/** The bounds of a run: its first moment belongs to the one before. */
export interface RunSpan {
  readonly account: Account;
  readonly after: Instant;
  readonly to: Instant;
}

/** More than this of each kind is not looked at; a case has the last 40 steps. */
const LOOKED_AT_MAX = 200;
const EVENTS = statement(`
  SELECT e.at, e.event, k.requester, k.mode, k.verification, n.kind
    FROM task_events AS e
    JOIN tasks AS k ON k.id = e.task_id
    LEFT JOIN networks AS n ON n.id = k.network
   WHERE e.actor = ? AND e.at > ? AND e.at <= ?
   ORDER BY e.at DESC, e.task_id DESC, e.seq DESC LIMIT ?`);
const PAID = statement(`
  SELECT e.at, t.event, e.reason, e.kind AS entry_kind, e.delta, n.kind
    FROM accounts AS a
    JOIN networks AS n ON n.id = a.network
    JOIN entries AS e ON e.account_id = a.id
    JOIN transfers AS t ON t.seq = e.transfer_seq
   WHERE a.network IN (SELECT id FROM networks) AND a.asset = 'USDC' AND a.name = ?
     AND e.at > ? AND e.at <= ? AND t.actor = a.name AND t.ref_kind <> 'task'
   ORDER BY e.at DESC, e.transfer_seq DESC LIMIT ?`);

export interface RunStep {
  readonly at: Instant;
  readonly step: CaseStep;
}

/** The acts of the account itself, oldest first; unpaid work counts for the network it led to. */
export async function stepsOfRun(
  db: Reader,
  { account, after, to }: RunSpan,
  otherwise: NetworkKind,
): Promise<readonly RunStep[]> {
  const span = [account, after, to, LOOKED_AT_MAX];
  const events = await linkOf(db).rows(EVENTS, span);
  const paid = await linkOf(db).rows(PAID, span);
  const steps = [
    ...events.flatMap((row) => taskStep(row, account, otherwise)),
    ...paid.map((row): RunStep => {
      const step = { op: column.text(row, 'event'), role: 'payer', networkKind: kindIn(row) };
      return { at: column.time(row, 'at'), step };
    }),
  ];
  // Each list is newest first; what happened in one moment keeps the order of its list.
  return steps.reverse().sort((a, b) => a.at - b.at);
}

function taskStep(row: Row, actor: Account, otherwise: NetworkKind): readonly RunStep[] {
  const mode = modeIn(row);
  const event = column.text(row, 'event');
  const action = taskAction({ event, actor, requester: column.account(row, 'requester'), mode });
  if (action === undefined) return [];
  const networkKind = row['kind'] === null ? otherwise : kindIn(row);
  const step = { ...action, verification: verificationIn(row), mode, networkKind };
  return [{ at: column.time(row, 'at'), step }];
}

const COST = statement(`
  SELECT CAST(coalesce(-sum(e.delta), 0) AS TEXT) AS cost
    FROM accounts AS a JOIN entries AS e ON e.account_id = a.id
   WHERE a.network = ? AND a.asset = 'USDC' AND a.name = ? AND e.at > ? AND e.at <= ?
     AND e.kind = 'move' AND e.delta < 0`);

/** Returns the amount that left the account in the span, on the network that it earned on. */
export async function costOfRun(
  db: Reader,
  network: NetworkId,
  { account, after, to }: RunSpan,
): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(COST, [network, account, after, to]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'cost');
}

function kindIn(row: Row): NetworkKind {
  const kind = row['kind'];
  if (kind === 'real' || kind === 'test' || kind === 'play') return kind;
  throw new Error('a network of no known kind');
}

function modeIn(row: Row): TaskMode {
  return row['mode'] === 'open' ? 'open' : 'exclusive';
}

function verificationIn(row: Row): Verification {
  const found = row['verification'];
  return found === 'automatic' || found === 'validator' ? found : 'requester';
}
