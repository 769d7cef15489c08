import { parseKeyId, type Account, type KeyId } from '../../domain/account.ts';
import type { Hideable } from '../../domain/moderation/decision.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';

/** Finds the account that published each kind of subject that can be hidden. */
const HOLDERS: Readonly<Record<Hideable, ReturnType<typeof statement>>> = {
  listing: statement(`
    SELECT k.account AS holder FROM listings AS l LEFT JOIN keys AS k ON k.key_id = l.passport_key_id
     WHERE l.id = ?`),
  passport: statement(`
    SELECT k.account AS holder FROM passports AS p JOIN keys AS k ON k.key_id = p.key_id
     WHERE p.key_id = ?`),
  task: statement('SELECT requester AS holder FROM tasks WHERE id = ?'),
  chain: statement('SELECT requester AS holder FROM chains WHERE id = ?'),
  comment: statement('SELECT author AS holder FROM comments WHERE id = ?'),
  pitch: statement('SELECT worker AS holder FROM pitches WHERE id = ?'),
  solution: statement('SELECT worker AS holder FROM attempts WHERE id = ?'),
  market: statement('SELECT creator AS holder FROM markets WHERE id = ?'),
  table: statement('SELECT creator AS holder FROM poker_tables WHERE id = ?'),
  report: statement('SELECT reporter AS holder FROM listing_reports WHERE id = ?'),
};

/** Returns who published a subject; undefined if there is no such subject. */
export async function holderOfSubject(
  db: Reader,
  subject: Hideable,
  id: string,
): Promise<{ readonly account: Account | undefined } | undefined> {
  const row = column.one(await linkOf(db).rows(HOLDERS[subject], [id]));
  if (row === undefined) return undefined;
  return { account: row['holder'] === null ? undefined : column.account(row, 'holder') };
}

const OPEN_TASKS = statement(`
  SELECT t.id, t.requester FROM moderation_decisions AS d JOIN tasks AS t ON t.id = d.subject_id
   WHERE d.subject = 'task' AND d.lifted_at IS NULL AND t.state = 'open' LIMIT ?`);

export async function openHiddenTasks(
  db: Reader,
  limit: number,
): Promise<readonly { readonly id: string; readonly requester: Account }[]> {
  return (await linkOf(db).rows(OPEN_TASKS, [limit])).map((row) => ({
    id: column.text(row, 'id'),
    requester: column.account(row, 'requester'),
  }));
}

const LISTED = statement(`
  SELECT l.id FROM moderation_decisions AS d JOIN listings AS l ON l.id = d.subject_id
   WHERE d.subject = 'listing' AND d.lifted_at IS NULL LIMIT ?`);
const HOSTED = statement(`
  SELECT h.key_id FROM hosted_agents AS h
   WHERE h.taken_down_at IS NULL AND EXISTS (
     SELECT 1 FROM moderation_decisions AS d WHERE d.lifted_at IS NULL
       AND ((d.subject = 'listing' AND d.subject_id = h.listing_id)
         OR (d.subject = 'account' AND d.subject_id = (
           SELECT k.account FROM keys AS k WHERE k.key_id = h.key_id)))) LIMIT ?`);

export async function hiddenListings(db: Reader, limit: number): Promise<readonly string[]> {
  return (await linkOf(db).rows(LISTED, [limit])).map((row) => column.text(row, 'id'));
}

/** Keys of hosted listings that are hidden, or whose account is banned. */
export async function hostedToTakeDown(db: Reader, limit: number): Promise<readonly KeyId[]> {
  const rows = await linkOf(db).rows(HOSTED, [limit]);
  return rows.flatMap((row) => parseKeyId(column.text(row, 'key_id')) ?? []);
}
