import type { Account } from '../../domain/account.ts';
import type { KarmaLosses } from '../../domain/karmaFigures.ts';
import type { Instant } from '../../domain/instant.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';

/** Karma as it was measured last; reads open these rows alone. */
export const KARMA_FIGURES = table(
  'karma_figures',
  {
    subject: columns.account().key(),
    recorded: columns.integer(),
    discounted: columns.integer(),
    unmeasured: columns.integer(),
    losses: columns.json<KarmaLosses>(),
    /** The losses of gains whose window is over, up to a moment. */
    settled: columns.json<KarmaLosses>(),
    settledUntil: columns.integer(),
    at: columns.moment(),
  },
  { use: 'single', personal: { apart: 'computed from karma entries' } },
);
export type KarmaFigures = Omit<RowIn<typeof KARMA_FIGURES>, 'subject'>;

/** How far the sweep over all standings is. */
export const KARMA_SWEEP = table(
  'karma_sweep',
  { id: columns.integer().key(), after: columns.text<Account | ''>() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const ONE = statement('SELECT * FROM karma_figures WHERE subject = ?');

export async function karmaFigures(
  db: Reader,
  subject: Account,
): Promise<KarmaFigures | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [subject]));
  return row && KARMA_FIGURES.fromRow(row);
}

const SAVE = statement(`
  ${KARMA_FIGURES.insertion} ON CONFLICT (subject) DO UPDATE SET ${KARMA_FIGURES.replacement}`);

export async function saveKarmaFigures(
  tx: Writer,
  subject: Account,
  figures: KarmaFigures,
): Promise<void> {
  await linkOf(tx).rows(SAVE, KARMA_FIGURES.cells({ ...figures, subject }));
}

const PAGE = statement(`
  SELECT t.subject, t.total,
      CASE WHEN f.subject IS NULL OR f.recorded <> t.total OR f.at <= ? THEN 1 ELSE 0 END AS due
    FROM karma_totals t LEFT JOIN karma_figures f ON f.subject = t.subject
   WHERE t.subject > (SELECT after FROM karma_sweep WHERE id = 1) AND t.subject LIKE 'key:%'
   ORDER BY t.subject LIMIT ?`);
const MOVE = statement('UPDATE karma_sweep SET after = ? WHERE id = 1');

export interface SweptAccount {
  readonly subject: Account;
  readonly total: number;
  /** Never measured, changed since, or measured before the moment that was named. */
  readonly isDue: boolean;
}

/** The next accounts of the sweep over all standings, in the order of their names. */
export async function sweepPage(
  db: Reader,
  before: Instant,
  limit: number,
): Promise<readonly SweptAccount[]> {
  const rows = await linkOf(db).rows(PAGE, [before, limit]);
  return rows.map((row) => ({
    subject: column.account(row, 'subject'),
    total: column.whole(row, 'total'),
    isDue: column.flag(row, 'due'),
  }));
}

/** Moves the sweep behind an account; nothing begins it again. */
export async function moveSweep(tx: Writer, after: Account | ''): Promise<void> {
  await linkOf(tx).rows(MOVE, [after]);
}
