import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import { bps } from '../../domain/money.ts';
import type { ArbiterDraw, Dispute } from '../../domain/task/model.ts';
import { parseAccount } from '../../domain/account.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';

/** The table of disputes: one per task. */

/** Where a reward went; the parts add up to it. */
export interface DisputeMoney {
  readonly hub: Atomic;
  readonly judges: Atomic;
  readonly arbiter: Atomic;
  /** What a credit advance took back included. */
  readonly worker: Atomic;
  readonly requester: Atomic;
  readonly transferId: string;
}
export interface StoredDispute {
  readonly dispute: Dispute;
  /** Absent while it is open. */
  readonly money?: DisputeMoney;
}

const BY_TASK = statement('SELECT * FROM disputes WHERE task_id = ?');

export async function disputeOf(db: Reader, taskId: string): Promise<StoredDispute | undefined> {
  const row = column.one(await linkOf(db).rows(BY_TASK, [taskId]));
  return row && stored(row);
}

const OF_TASKS = inListStatement((given) => `SELECT * FROM disputes WHERE task_id ${given}`);

/** The disputes of a page of tasks, by task id. */
export async function disputesOf(
  db: Reader,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, StoredDispute>> {
  if (taskIds.length === 0) return new Map();
  const rows = await linkOf(db).rows(OF_TASKS, [taskIds]);
  return new Map(rows.map(stored).map((each) => [each.dispute.taskId, each]));
}

const MOVING = [
  'state',
  'arbiter',
  'until',
  'draw_at',
  'draws',
  'verdict',
  'worker_share_bps',
  'resolution',
  'ended_at',
  'hub',
  'judges',
  'arbiter_fee',
  'worker',
  'requester',
  'transfer_id',
] as const;
const COLUMNS = ['task_id', 'raised_by', 'reason', 'at', 'void_at', ...MOVING];
const SAVE = statement(`
  INSERT INTO disputes (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (task_id) DO UPDATE SET
    ${MOVING.map((name) => `${name} = excluded.${name}`).join(', ')}`);

/** Inserts or updates; whoever does holds the task's row. */
export async function saveDispute(
  tx: Writer,
  dispute: Dispute,
  money: DisputeMoney | undefined,
): Promise<void> {
  await linkOf(tx).rows(SAVE, [
    dispute.taskId,
    dispute.raisedBy,
    dispute.reason,
    dispute.at,
    dispute.voidAt,
    dispute.state,
    dispute.arbiter ?? null,
    dispute.until ?? null,
    dispute.drawAt ?? null,
    JSON.stringify(dispute.draws.map(packed)),
    dispute.verdict ?? null,
    dispute.workerShareBps ?? null,
    dispute.resolution ?? null,
    dispute.endedAt ?? null,
    money === undefined ? null : `${money.hub}`,
    money === undefined ? null : `${money.judges}`,
    money === undefined ? null : `${money.arbiter}`,
    money === undefined ? null : `${money.worker}`,
    money === undefined ? null : `${money.requester}`,
    money?.transferId ?? null,
  ]);
}

const OPEN_WITH = statement(`
  SELECT CAST(count(*) AS INTEGER) AS n FROM disputes WHERE arbiter = ? AND state = 'drawn'`);

/** Open disputes that a seat is drawn on: nobody leaves them. */
export async function openDisputesWith(db: Reader, arbiter: Account): Promise<number> {
  const row = column.one(await linkOf(db).rows(OPEN_WITH, [arbiter]));
  return Number(row?.['n'] ?? 0);
}

const PAGE = statement(`
  SELECT * FROM disputes WHERE arbiter = ? AND state = 'drawn'
   ORDER BY until, task_id LIMIT ?`);
const PAGE_AFTER = statement(`
  SELECT d.* FROM disputes d JOIN disputes last ON last.task_id = ?
   WHERE d.arbiter = ? AND d.state = 'drawn'
     AND (d.until > last.until OR (d.until = last.until AND d.task_id > last.task_id))
   ORDER BY d.until, d.task_id LIMIT ?`);

/** Open disputes of an arbiter, oldest deadline first; `before` is the last of the page before. */
export async function disputesWith(
  db: Reader,
  arbiter: Account,
  { before, limit }: { readonly before?: string; readonly limit: number },
): Promise<readonly StoredDispute[]> {
  const link = linkOf(db);
  const rows =
    before === undefined
      ? await link.rows(PAGE, [arbiter, limit])
      : await link.rows(PAGE_AFTER, [before, arbiter, limit]);
  return rows.map(stored);
}

function stored(row: Row): StoredDispute {
  const money = moneyOf(row);
  return { dispute: disputeIn(row), ...(money && { money }) };
}

function moneyOf(row: Row): DisputeMoney | undefined {
  const transferId = column.textOrNull(row, 'transfer_id');
  if (transferId === null) return undefined;
  return {
    hub: column.amount(row, 'hub'),
    judges: column.amount(row, 'judges'),
    arbiter: column.amount(row, 'arbiter_fee'),
    worker: column.amount(row, 'worker'),
    requester: column.amount(row, 'requester'),
    transferId,
  };
}

const STATES = ['drawn', 'ruled', 'void'] as const;
const VERDICTS = ['upheld', 'rejected', 'split'] as const;

function disputeIn(row: Row): Dispute {
  const state = STATES.find((each) => each === row['state']);
  if (state === undefined) throw new Error('a dispute in an unknown state');
  const verdict = VERDICTS.find((each) => each === row['verdict']);
  const until = column.timeOrNull(row, 'until');
  const drawAt = column.timeOrNull(row, 'draw_at');
  const share = column.wholeOrNull(row, 'worker_share_bps');
  const resolution = column.textOrNull(row, 'resolution');
  const endedAt = column.timeOrNull(row, 'ended_at');
  return {
    taskId: column.text(row, 'task_id'),
    raisedBy: column.account(row, 'raised_by'),
    reason: column.text(row, 'reason'),
    at: column.time(row, 'at'),
    voidAt: column.time(row, 'void_at'),
    state,
    ...(row['arbiter'] !== null && { arbiter: column.account(row, 'arbiter') }),
    ...(until !== null && { until }),
    ...(drawAt !== null && { drawAt }),
    draws: (column.json(row, 'draws') as readonly PackedDraw[]).map(unpacked),
    ...defined({ verdict }),
    ...(share !== null && { workerShareBps: bps(share) }),
    ...(resolution !== null && { resolution }),
    ...(endedAt !== null && { endedAt }),
  };
}

/** A draw as JSON that only this file writes. */
interface PackedDraw extends Omit<ArbiterDraw, 'arbiter' | 'pool' | 'drawnAt' | 'until'> {
  readonly arbiter: string;
  readonly pool: readonly (readonly [account: string, weight: string, group: string])[];
  readonly drawnAt: number;
  readonly until: number;
}

function packed(draw: ArbiterDraw): PackedDraw {
  const pool = draw.pool.map(
    ({ account, weight, group }) => [account, `${weight}`, group] as const,
  );
  return { ...draw, pool };
}

function unpacked(draw: PackedDraw): ArbiterDraw {
  return {
    ...draw,
    arbiter: accountIn(draw.arbiter),
    pool: draw.pool.map(([account, weight, group]) => ({
      account: accountIn(account),
      weight: BigInt(weight),
      group,
    })),
    drawnAt: instant(draw.drawnAt),
    until: instant(draw.until),
  };
}

function accountIn(name: string): Account {
  const account = parseAccount(name);
  if (account === undefined) throw new Error(`not an account: ${name.slice(0, 60)}`);
  return account;
}
