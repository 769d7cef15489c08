import type { Instant } from '../../domain/instant.ts';
import { text } from '../batch/columns.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Row, type Writer } from '../connection.ts';
import { table } from '../batch/table.ts';
import { namesOf } from './bulk.ts';
import { counted, less, noteCounts } from './counts.ts';
import { LISTINGS } from './listingValues.ts';
import { saveChanges } from './probes.ts';
import { moveReports } from './reports.ts';
import { moveServers } from './servers.ts';

/**
 * A listing whose host changed keeps its code (interface, Registry code), age, trail and reviews.
 * It takes over what was found and measured at the new host, whose code names it too.
 */
const KEPT = ['id', 'first_seen_at', 'changed_at'];
const TAKEN = [
  ...namesOf(LISTINGS).filter((name) => !KEPT.includes(name)),
  // By the proof of the new host's domain.
  'verification',
];
/** Former codes of listings. */
export const LISTING_ALIASES = table(
  'listing_aliases',
  { code: text().key(), listingId: text() },
  { use: 'single', personal: { apart: 'about no account' } },
);

const BECOME = statement(`
  UPDATE listings SET (${TAKEN.join(', ')}) =
      (SELECT ${TAKEN.map((name) => `n.${name}`).join(', ')} FROM listings AS n WHERE n.id = ?),
    changed_at = CASE WHEN changed_at < ? THEN ? ELSE changed_at END
  WHERE id = ?`);
/** Tables whose rows belong to the old host and go with it. */
const DROPPED = ['listing_skills', 'listing_looks', 'call_quotes', 'quotes'].map((table) =>
  statement(`DELETE FROM ${table} WHERE listing_id = ?`),
);
/** Tables whose rows of the new host are the listing's own from now on. */
const PASSED_ON = [
  'listing_skills',
  'listing_looks',
  'listing_changes',
  'listing_aliases',
  'call_quotes',
  'quotes',
  'call_attempts',
  'reviews',
].map((table) => statement(`UPDATE ${table} SET listing_id = ? WHERE listing_id = ?`));
const DELETE = statement('DELETE FROM listings WHERE id = ?');
const ALIAS = statement(LISTING_ALIASES.insertion);
const FORMER = statement('SELECT endpoint, availability, quotes_x402 FROM listings WHERE id = ?');

/** Both are locked. `found` is what a look found at the new host; its code goes on as an alias. */
export async function moveListing(
  tx: Writer,
  { former, found }: { readonly former: string; readonly found: string },
  at: Instant,
): Promise<void> {
  const link = linkOf(tx);
  const rowOf = async (id: string): Promise<Row> => {
    const row = column.one(await link.rows(FORMER, [id]));
    if (row === undefined) throw new Error('a locked listing is there');
    return row;
  };
  const [old, next] = [await rowOf(former), await rowOf(found)];
  const [before, after] = [column.text(old, 'endpoint'), column.text(next, 'endpoint')];
  for (const drop of DROPPED) await link.rows(drop, [former]);
  await link.rows(BECOME, [found, at, at, former]);
  for (const passOn of PASSED_ON) await link.rows(passOn, [former, found]);
  await moveReports(tx, { former, found }, at);
  await moveServers(tx, { former, found }, at);
  await link.rows(DELETE, [found]);
  // The row that goes is the found one; what it showed is now shown by the former one.
  const gone = { live: old['availability'] === 'live', x402: column.flag(old, 'quotes_x402') };
  await noteCounts(tx, less(counted([]), counted([gone])), at);
  await link.rows(ALIAS, LISTING_ALIASES.cells({ code: found, listingId: former }));
  await saveChanges(tx, former, at, [{ path: 'endpoint', change: 'changed', before, after }]);
}
