import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { ZERO, type Atomic, type Bps } from '../../domain/money.ts';
import type { ArbiterDraw, Dispute } from '../../domain/tasks/model.ts';
import * as column from '../batch/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { TRANSFERS } from '../ledger/ledgerTables.ts';
import { SEATS } from '../validators/seats.ts';
import { packedSeat, unpackedSeat, type PackedSeat } from '../validators/poolColumn.ts';
import { TASKS } from './taskRow.ts';

/** Where a reward went; the parts add up to it. */
export interface DisputeMoney {
  readonly hub: Atomic;
  readonly judges: Atomic;
  readonly arbiter: Atomic;
  /** The worker's share, including the part that a credit advance took back. */
  readonly worker: Atomic;
  readonly requester: Atomic;
  readonly transferId: string;
}
export interface StoredDispute {
  readonly dispute: Dispute;
  /** Absent while it is open. */
  readonly money?: DisputeMoney;
}

/** At most one of a task, whose row every writer locks first. */
export const DISPUTES = shaped(
  table(
    'disputes',
    {
      taskId: column.text().key(),
      raisedBy: column.account().fixed(),
      reason: column.text().fixed(),
      at: column.moment().fixed(),
      voidAt: column.moment().fixed(),
      state: column.oneOf(['drawn', 'ruled', 'void']).guard(),
      arbiter: column.account().guard().optional(),
      until: column.moment().guard().optional(),
      drawAt: column.moment().optional(),
      draws: column.json<readonly PackedDraw[]>(),
      verdict: column.oneOf(['upheld', 'rejected', 'split']).optional(),
      workerShareBps: column.integer<Bps>().optional(),
      resolution: column.text().optional(),
      settledBy: column.text().optional(),
      endedAt: column.moment().optional(),
      hub: column.amount().optional(),
      judges: column.amount().optional(),
      arbiterFee: column.amount().optional(),
      worker: column.amount().optional(),
      requester: column.amount().optional(),
      transferId: column.text().optional(),
    },
    {
      personal: { owner: 'raised_by', stays: 'It explains a ruling that moved money.' },
      lock: 'none',
      under: [TASKS, SEATS],
      after: [TRANSFERS],
    },
  ),
  {
    of({ hub, judges, arbiterFee, worker, requester, transferId, draws, ...row }): StoredDispute {
      const dispute = { ...row, draws: draws.map(unpacked) };
      if (transferId === undefined) return { dispute };
      const [paidHub, paidJudges, arbiter] = [hub ?? ZERO, judges ?? ZERO, arbiterFee ?? ZERO];
      const rest = { worker: worker ?? ZERO, requester: requester ?? ZERO, transferId };
      return { dispute, money: { hub: paidHub, judges: paidJudges, arbiter, ...rest } };
    },
    flat({ dispute, money }) {
      const { arbiter: arbiterFee, ...parts } = money ?? {};
      const draws = dispute.draws.map(packed);
      return { ...dispute, draws, ...parts, ...defined({ arbiterFee }) };
    },
  },
);

const ENDED_IN = statement(`SELECT d.* FROM transfers t JOIN disputes d ON d.transfer_id = t.id
  WHERE t.seq > ? AND t.seq <= ? ORDER BY t.seq`);

/** The disputes whose money moved in a stretch of the journal, in its order. */
export async function disputesEndedIn(
  db: Reader,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly StoredDispute[]> {
  return (await linkOf(db).rows(ENDED_IN, [after, to])).map(DISPUTES.fromRow);
}

const OF_TASKS = inListStatement((given) => `SELECT * FROM disputes WHERE task_id ${given}`);

export async function disputesOf(
  db: Reader,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, StoredDispute>> {
  if (taskIds.length === 0) return new Map();
  const rows = await linkOf(db).rows(OF_TASKS, [taskIds]);
  return new Map(rows.map(DISPUTES.fromRow).map((each) => [each.dispute.taskId, each]));
}

const OPEN_WITH = statement(`
  SELECT CAST(count(*) AS INTEGER) AS n FROM disputes WHERE arbiter = ? AND state = 'drawn'`);

/** Counts the open disputes that a seat is drawn on, which no arbiter can leave. */
export async function openDisputesWith(db: Reader, arbiter: Account): Promise<number> {
  const row = one(await linkOf(db).rows(OPEN_WITH, [arbiter]));
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
  return rows.map(DISPUTES.fromRow);
}

/** A draw as JSON that only this file writes. */
interface PackedDraw extends Omit<ArbiterDraw, 'pool'> {
  readonly pool: readonly PackedSeat[];
}

function packed(draw: ArbiterDraw): PackedDraw {
  return { ...draw, pool: draw.pool.map(packedSeat) };
}

function unpacked(draw: PackedDraw): ArbiterDraw {
  return { ...draw, pool: draw.pool.map(unpackedSeat) };
}
