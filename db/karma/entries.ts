import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import { KARMA_MONEY, KARMA_REASONS, KARMA_REF_KINDS, LOWERINGS } from '../../domain/karma.ts';
import type { KarmaCause, KarmaMoney, Weighed } from '../../domain/karma.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row } from '../connection.ts';

/** One change of standing, as it is kept: never altered, never deleted. */
export interface KarmaEntry extends Omit<KarmaCause, 'subject' | 'occasion'>, Weighed {
  readonly id: string;
  readonly at: Instant;
  readonly money: KarmaMoney;
  /** The listing that it was recorded against before that was claimed. */
  readonly listingId?: string;
}

export interface Standing {
  readonly total: number;
  /** The part of it that comes from test networks. */
  readonly fromTestNetworks: number;
}

const TOTAL = statement('SELECT total, from_test FROM karma_totals WHERE subject = ?');

/** The sum of the account's entries; zeros for one that has none. */
export async function standing(db: Reader, subject: Account): Promise<Standing> {
  const row = column.one(await linkOf(db).rows(TOTAL, [subject]));
  if (row === undefined) return { total: 0, fromTestNetworks: 0 };
  return {
    total: column.whole(row, 'total'),
    fromTestNetworks: column.whole(row, 'from_test'),
  };
}

const PAGE = statement(`
  SELECT id, at, delta, full_delta, lowered_by, reason, ref_kind, ref_id, counterparty, money,
      listing_id
    FROM karma_entries WHERE subject = ? AND id < ? ORDER BY id DESC LIMIT ?`);
/** Sorts after every id. */
const NEWEST = 'g';

/** A page of entries, newest first; `next` is the `before` of the page that follows. */
export async function karmaPage(
  db: Reader,
  subject: Account,
  { limit, before }: { readonly limit: number; readonly before?: string },
): Promise<{ readonly entries: readonly KarmaEntry[]; readonly next?: string }> {
  const rows = await linkOf(db).rows(PAGE, [subject, before ?? NEWEST, limit + 1]);
  const entries = rows.slice(0, limit).map(entryOf);
  const last = entries.at(-1);
  return { entries, ...(rows.length > limit && last !== undefined && { next: last.id }) };
}

function entryOf(row: Row): KarmaEntry {
  const listingId = column.textOrNull(row, 'listing_id');
  const loweredBy = row['lowered_by'] === null ? undefined : oneOf(row, 'lowered_by', LOWERINGS);
  return {
    id: column.text(row, 'id'),
    at: column.time(row, 'at'),
    delta: column.whole(row, 'delta'),
    fullDelta: column.whole(row, 'full_delta'),
    ...defined({ loweredBy }),
    reason: oneOf(row, 'reason', KARMA_REASONS),
    ref: { kind: oneOf(row, 'ref_kind', KARMA_REF_KINDS), id: column.text(row, 'ref_id') },
    ...(row['counterparty'] !== null && { counterparty: column.account(row, 'counterparty') }),
    money: oneOf(row, 'money', KARMA_MONEY),
    ...(listingId !== null && { listingId }),
  };
}

function oneOf<T extends string>(row: Row, name: string, known: readonly T[]): T {
  const found = known.find((each) => each === row[name]);
  if (found === undefined) throw new Error(`column ${name} holds none of ${known.join(', ')}`);
  return found;
}
