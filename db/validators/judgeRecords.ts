import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JudgeFigures } from '../../domain/validators/measures.ts';
import type { ValidatorSeat } from '../../domain/validators/seat.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { SEATS } from './seats.ts';

/** The figures of judges as they were computed last; reads open these rows alone. */
export interface JudgeRecord {
  readonly figures: JudgeFigures;
  readonly at: Instant;
}

const ONE = statement('SELECT figures, at FROM judge_records WHERE account = ?');

export async function judgeRecord(db: Reader, account: Account): Promise<JudgeRecord | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [account]));
  if (row === undefined) return undefined;
  return { figures: column.json(row, 'figures') as JudgeFigures, at: column.time(row, 'at') };
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
  INSERT INTO judge_records (account, network, seat_id, reliability_bps, figures, at)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (account) DO UPDATE SET reliability_bps = excluded.reliability_bps,
    figures = excluded.figures, at = excluded.at`);
const CURRENT = statement(
  'UPDATE seats SET measure_at = NULL WHERE account = ? AND measure_at = ?',
);

/** Stores the figures of a seat that was due; one that is due again meanwhile stays due. */
export async function saveJudgeRecord(
  tx: Writer,
  { account, network, id, measureAt }: ValidatorSeat,
  { figures, at }: JudgeRecord,
): Promise<void> {
  const { reliabilityBps = null } = figures;
  const cells = [account, network, id, reliabilityBps, JSON.stringify(figures), at];
  await linkOf(tx).rows(SAVE, cells);
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
