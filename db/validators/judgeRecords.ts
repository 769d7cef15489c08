import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JudgeFigures } from '../../domain/validators/measures.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { SEATS } from './seats.ts';

/** The figures of judges as they were computed last; reads open these rows alone. */
export const JUDGE_RECORDS = table(
  'judge_records',
  {
    account: columns.account().key(),
    network: columns.network().fixed(),
    seatId: columns.text().fixed(),
    reliabilityBps: columns.integer().optional(),
    figures: columns.json<JudgeFigures>(),
    at: columns.moment(),
  },
  { use: 'single', personal: { apart: 'computed from votes, which are in the export' } },
);
export type JudgeRecord = Pick<RowIn<typeof JUDGE_RECORDS>, 'figures' | 'at'>;

const ONE = statement('SELECT * FROM judge_records WHERE account = ?');

export async function judgeRecord(db: Reader, account: Account): Promise<JudgeRecord | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [account]));
  return row && JUDGE_RECORDS.fromRow(row);
}

const RELIABILITIES = inListStatement(
  (given) => `SELECT account, reliability_bps FROM judge_records
   WHERE reliability_bps IS NOT NULL AND account ${given}`,
);

/** The reliability of those of these judges that are measured. */
export async function reliabilities(
  db: Reader,
  accounts: readonly Account[],
): Promise<ReadonlyMap<Account, number>> {
  const rows = await linkOf(db).rows(RELIABILITIES, [accounts]);
  return new Map(
    rows.map((row) => [column.account(row, 'account'), column.whole(row, 'reliability_bps')]),
  );
}

const SAVE = statement(`
  ${JUDGE_RECORDS.insertion}
  ON CONFLICT (account) DO UPDATE SET ${JUDGE_RECORDS.replacement}`);
const CURRENT = statement(
  'UPDATE seats SET measure_at = NULL WHERE account = ? AND measure_at = ?',
);

/** Stores the figures of a seat that was due; one that is due again meanwhile stays due. */
export async function saveJudgeRecord(
  tx: Writer,
  { account, network, id, measureAt }: ValidatorSeat,
  { figures, at }: JudgeRecord,
): Promise<void> {
  const { reliabilityBps } = figures;
  const record = { account, network, seatId: id, figures, at, ...defined({ reliabilityBps }) };
  await linkOf(tx).rows(SAVE, JUDGE_RECORDS.cells(record));
  await linkOf(tx).rows(CURRENT, [account, measureAt ?? null]);
}

const DUE = statement(
  'SELECT * FROM seats WHERE measure_at <= ? ORDER BY measure_at, account LIMIT ?',
);

export async function seatsToMeasure(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<readonly ValidatorSeat[]> {
  return (await linkOf(db).rows(DUE, [now, limit])).map(SEATS.fromRow);
}
