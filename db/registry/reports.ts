import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { ListingReport, ReportAnswer, ReportReason } from '../../domain/registry/report.ts';
import * as columns from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { shaped, table } from '../batch/table.ts';

const REPORT = {
  id: columns.text().key(),
  listingId: columns.text(),
  reporter: columns.account(),
  reason: columns.text<ReportReason>(),
  body: columns.text().optional(),
  at: columns.moment(),
  withdrawnAt: columns.moment().optional(),
  answer: columns.text().optional(),
  answeredBy: columns.account().optional(),
  answeredAt: columns.moment().optional(),
};

/** Reports of listings. Their ids sort by time of making, so the id is the cursor. */
export const LISTING_REPORTS = shaped(
  table('listing_reports', REPORT, {
    use: 'single',
    personal: {
      owner: 'reporter',
      stays: 'The holder answered it; its text is erased.',
    },
  }),
  {
    of({ body: text, answer, answeredBy: by, answeredAt, ...row }): ListingReport {
      const isAnswered = answer !== undefined && by !== undefined && answeredAt !== undefined;
      const given = isAnswered && { answer: { text: answer, by, at: answeredAt } };
      return { ...row, ...defined({ text }), ...given };
    },
    flat: ({ text: body, answer, ...report }) => ({
      ...report,
      ...defined({ body, answer: answer?.text, answeredBy: answer?.by, answeredAt: answer?.at }),
    }),
  },
);

/** Reports of a hosted listing that was taken down, until it is published again. */
export const REPORTS_ASIDE = table('listing_reports_aside', REPORT, {
  use: 'single',
  personal: {
    apart: 'reports of listings that are not listed',
  },
});

const INSERT = statement(`
  ${LISTING_REPORTS.insertion}
  ON CONFLICT (listing_id, reporter) WHERE withdrawn_at IS NULL DO NOTHING RETURNING id`);

/** False when one of this reporter stands already. */
export async function insertReport(tx: Writer, report: ListingReport): Promise<boolean> {
  const cells = LISTING_REPORTS.cells(report);
  if ((await linkOf(tx).rows(INSERT, cells)).length === 0) return false;
  await countReports(tx, report.listingId);
  return true;
}

const COUNT = statement(`
  UPDATE listings SET open_reports = (SELECT count(*) FROM listing_reports AS r
      WHERE r.listing_id = listings.id AND r.withdrawn_at IS NULL)
    WHERE id = ?`);

async function countReports(tx: Writer, listingId: string): Promise<void> {
  await linkOf(tx).rows(COUNT, [listingId]);
}

const STANDING = statement(`
  SELECT * FROM listing_reports WHERE listing_id = ? AND reporter = ? AND withdrawn_at IS NULL`);

export async function standingReport(
  db: Reader,
  listingId: string,
  reporter: Account,
): Promise<ListingReport | undefined> {
  const row = column.one(await linkOf(db).rows(STANDING, [listingId, reporter]));
  return row && LISTING_REPORTS.fromRow(row);
}

const LOCK = 'SELECT * FROM listing_reports WHERE listing_id = ? AND id = ?';
const LOCKED = statement(LOCK, `${LOCK} FOR UPDATE`);

export async function lockReport(
  tx: Writer,
  listingId: string,
  id: string,
): Promise<ListingReport | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [listingId, id]));
  return row && LISTING_REPORTS.fromRow(row);
}

const WITHDRAW = statement('UPDATE listing_reports SET body = NULL, withdrawn_at = ? WHERE id = ?');

/** A locked report that counts no longer. */
export async function withdrawReport(
  tx: Writer,
  { id, listingId }: ListingReport,
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(WITHDRAW, [at, id]);
  await countReports(tx, listingId);
}

const ANSWER = statement(
  'UPDATE listing_reports SET answer = ?, answered_by = ?, answered_at = ? WHERE id = ?',
);

export async function answerReport(
  tx: Writer,
  id: string,
  { text, by, at }: ReportAnswer,
): Promise<void> {
  await linkOf(tx).rows(ANSWER, [text, by, at, id]);
}

const PAGE = statement(`
  SELECT * FROM listing_reports WHERE listing_id = ? AND id < ? ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const END = '~';

/** Reports of a listing, newest first. */
export async function reportPage(
  db: Reader,
  listingId: string,
  before: string | undefined,
  limit: number,
): Promise<readonly ListingReport[]> {
  return (await linkOf(db).rows(PAGE, [listingId, before ?? END, limit])).map(
    LISTING_REPORTS.fromRow,
  );
}

const NEWEST = statement(`
  SELECT r.*, l.name, l.origin, l.open_reports FROM listing_reports AS r
    JOIN listings AS l ON l.id = r.listing_id
   WHERE r.withdrawn_at IS NULL ORDER BY l.open_reports DESC, r.id DESC LIMIT ?`);

/** A report that stands, with what the operator knows its listing by. */
export interface ReportedListing {
  readonly report: ListingReport;
  readonly name: string;
  readonly origin: string;
  readonly openReports: number;
}

/** Returns the open reports of all listings, those with the most reports first. */
export async function reportsForOperator(
  db: Reader,
  limit: number,
): Promise<readonly ReportedListing[]> {
  return (await linkOf(db).rows(NEWEST, [limit])).map((row) => ({
    report: LISTING_REPORTS.fromRow(row),
    name: column.text(row, 'name'),
    origin: column.text(row, 'origin'),
    openReports: column.whole(row, 'open_reports'),
  }));
}

const GIVE_WAY = statement(`
  UPDATE listing_reports SET body = NULL, withdrawn_at = ?
   WHERE listing_id = ? AND withdrawn_at IS NULL AND reporter IN (
     SELECT reporter FROM listing_reports WHERE listing_id = ? AND withdrawn_at IS NULL)`);
const PASS_ON = statement('UPDATE listing_reports SET listing_id = ? WHERE listing_id = ?');

/** A listing that becomes another brings its reports along; of one reporter the former's stands. */
export async function moveReports(
  tx: Writer,
  { former, found }: { readonly former: string; readonly found: string },
  at: Instant,
): Promise<void> {
  await linkOf(tx).rows(GIVE_WAY, [at, found, former]);
  await linkOf(tx).rows(PASS_ON, [former, found]);
  await countReports(tx, former);
}

const REPORT_COLUMNS = REPORTS_ASIDE.columns.join(', ');
const SET_ASIDE = statement(`
  INSERT INTO listing_reports_aside (${REPORT_COLUMNS})
    SELECT ${REPORT_COLUMNS} FROM listing_reports WHERE listing_id = ?`);
const RETURN = statement(`
  INSERT INTO listing_reports (${REPORT_COLUMNS})
    SELECT ${REPORT_COLUMNS} FROM listing_reports_aside WHERE listing_id = ?`);
const DROP_ASIDE = statement('DELETE FROM listing_reports_aside WHERE listing_id = ?');

/** Copies the reports of a listing that is about to be removed, for its return. */
export async function setReportsAside(tx: Writer, listingId: string): Promise<void> {
  await linkOf(tx).rows(SET_ASIDE, [listingId]);
}

/** Gives a listing that was published again the reports that it had. */
export async function returnReports(tx: Writer, listingId: string): Promise<void> {
  await linkOf(tx).rows(RETURN, [listingId]);
  await linkOf(tx).rows(DROP_ASIDE, [listingId]);
  await countReports(tx, listingId);
}
