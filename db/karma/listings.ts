import type { Account } from '../../domain/account.ts';
import { isListing, type KarmaSubject } from '../../domain/karma.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';

/** Standing as listings show it: of the account that holds them, else of their own. */
const SHOW_OF_ACCOUNT = statement(`
  UPDATE listings SET karma = t.total FROM karma_totals t
  WHERE t.subject = ? AND listings.karma <> t.total
    AND listings.passport_key_id IN (SELECT key_id FROM keys WHERE account = ?)`);
const SHOW_OWN = statement(`
  UPDATE listings SET karma = t.total FROM karma_totals t
  WHERE t.subject = ? AND listings.id = ? AND listings.passport_key_id IS NULL`);

/** Writes a standing that has changed, or a holder that has, to the listings that show it. */
export async function showKarma(tx: Writer, subject: KarmaSubject): Promise<void> {
  const [show, whose] = isListing(subject)
    ? [SHOW_OWN, subject.slice('listing:'.length)]
    : [SHOW_OF_ACCOUNT, subject];
  await linkOf(tx).rows(show, [subject, whose]);
}

/**
 * Gains from test money stay behind, because the cap of 20 is for the holder's own acts. Entries
 * that the holder already has stay as well, since an occasion counts once.
 */
const MOVE = statement(`
  UPDATE karma_entries SET subject = ?, listing_id = ?
  WHERE subject = ? AND (money <> 'test' OR delta < 0) AND NOT EXISTS (
    SELECT 1 FROM karma_entries o WHERE o.subject = ? AND o.reason = karma_entries.reason
      AND o.occasion = karma_entries.occasion)
  RETURNING delta, money`);
const ADD = statement(`
  INSERT INTO karma_totals (subject, total, from_test) VALUES (?, ?, ?)
  ON CONFLICT (subject) DO UPDATE SET total = karma_totals.total + excluded.total,
    from_test = karma_totals.from_test + excluded.from_test`);

/** Moves the karma recorded against a listing to the account that takes it; returns the amount. */
export async function moveKarma(tx: Writer, listingId: string, to: Account): Promise<number> {
  const from = `listing:${listingId}`;
  const moved = await linkOf(tx).rows(MOVE, [to, listingId, from, to]);
  if (moved.length === 0) return 0;
  const sum = (rows: typeof moved): number =>
    rows.reduce((total, row) => total + column.whole(row, 'delta'), 0);
  const [total, test] = [sum(moved), sum(moved.filter(({ money }) => money === 'test'))];
  await linkOf(tx).rows(ADD, [to, total, test]);
  await linkOf(tx).rows(ADD, [from, -total, -test]);
  return total;
}
