import type { Account } from '../../domain/account.ts';
import type { KarmaLosses } from '../../domain/karmaFigures.ts';
import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';

/** Karma as it was measured last; reads open these rows alone. */
export interface KarmaFigures {
  readonly recorded: number;
  readonly discounted: number;
  readonly unmeasured: number;
  readonly losses: KarmaLosses;
  /** The losses of gains whose window is over, up to a moment. */
  readonly settled: KarmaLosses;
  readonly settledUntil: number;
  readonly at: Instant;
}

const ONE = statement('SELECT * FROM karma_figures WHERE subject = ?');

export async function karmaFigures(
  db: Reader,
  subject: Account,
): Promise<KarmaFigures | undefined> {
  const row = column.one(await linkOf(db).rows(ONE, [subject]));
  return row && figuresOf(row);
}

function figuresOf(row: Row): KarmaFigures {
  return {
    recorded: column.whole(row, 'recorded'),
    discounted: column.whole(row, 'discounted'),
    unmeasured: column.whole(row, 'unmeasured'),
    losses: column.json(row, 'losses') as KarmaLosses,
    settled: column.json(row, 'settled') as KarmaLosses,
    settledUntil: column.whole(row, 'settled_until'),
    at: column.time(row, 'at'),
  };
}

const SAVE = statement(`
  INSERT INTO karma_figures
    (subject, recorded, discounted, unmeasured, losses, settled, settled_until, at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (subject) DO UPDATE SET recorded = excluded.recorded,
    discounted = excluded.discounted, unmeasured = excluded.unmeasured, losses = excluded.losses,
    settled = excluded.settled, settled_until = excluded.settled_until, at = excluded.at`);

export async function saveKarmaFigures(
  tx: Writer,
  subject: Account,
  figures: KarmaFigures,
): Promise<void> {
  const { recorded, discounted, unmeasured, losses, settled, settledUntil, at } = figures;
  const cells = [recorded, discounted, unmeasured, JSON.stringify(losses), JSON.stringify(settled)];
  await linkOf(tx).rows(SAVE, [subject, ...cells, settledUntil, at]);
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
