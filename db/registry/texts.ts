import type { Instant } from '../../domain/instant.ts';
import * as columns from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import {
  linkOf,
  statement,
  type Reader,
  type Row,
  type Statement,
  type Writer,
} from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { table } from '../batch/table.ts';
import { bulkRows, typed } from './bulk.ts';

/**
 * Listings as shown, stored when they change (choices registry.texts). A text is valid until its
 * time, while its form is that of the reading version and its stamps are those that its group and
 * its operator have now.
 */
export interface ListingText {
  readonly id: string;
  /** The version of the functions that made it; another one is not read. */
  readonly form: string;
  readonly stamps: ListingStamps;
  /** When the clock alone changes what it says. */
  readonly until: Instant;
  readonly tag: string;
  /** JSON as lists show it; like the record absent where it is too long to be stored. */
  readonly short?: string;
  readonly record?: string;
}

export interface ListingStamps {
  readonly group: string;
  readonly groupStamp: number;
  readonly operatorId: string;
  readonly operatorStamp: number;
}

/** Joins the stamps of texts `t`; only texts that are still true are left. */
const TRUE_STILL = `
  JOIN listing_stamps AS g
    ON g.part = 'group' AND g.name = t.agent_group AND g.stamp = t.group_stamp
  JOIN listing_stamps AS o
    ON o.part = 'operator' AND o.name = t.operator_id AND o.stamp = t.operator_stamp`;

export interface StoredText {
  /** The entity tag of the record. */
  readonly tag: string;
  readonly text: string;
}

const stored = (shown: 'record' | 'short'): Statement =>
  statement(
    `SELECT t.listing_id, t.tag, t.${shown} AS text FROM json_each(?) AS k
      CROSS JOIN listing_texts AS t ON t.listing_id = k.value ${TRUE_STILL}
      WHERE t.form = ? AND t.until > ? AND t.${shown} IS NOT NULL`,
    `SELECT t.listing_id, t.tag, t.${shown} AS text FROM listing_texts AS t ${TRUE_STILL}
      WHERE t.listing_id = ANY(?::text[]) AND t.form = ? AND t.until > ?
        AND t.${shown} IS NOT NULL`,
  );
const STORED = { record: stored('record'), short: stored('short') };

export async function storedTexts(
  db: Reader,
  shown: 'record' | 'short',
  ids: readonly string[],
  { form, now }: { readonly form: string; readonly now: Instant },
): Promise<ReadonlyMap<string, StoredText>> {
  if (ids.length === 0) return new Map();
  const rows = await linkOf(db).rows(STORED[shown], [ids, form, now]);
  return new Map(
    rows.map((row) => [
      column.text(row, 'listing_id'),
      { tag: column.text(row, 'tag'), text: column.text(row, 'text') },
    ]),
  );
}

/** Versions of what texts are made from, and those that they were made for last. */
export const LISTING_STAMPS = table(
  'listing_stamps',
  {
    part: columns.oneOf(['group', 'operator']).key(),
    name: columns.text().key(),
    stamp: columns.integer(),
    made: columns.integer(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);

/** A group or an operator whose stamp has changed since its texts were made. */
export type DuePart = Omit<RowIn<typeof LISTING_STAMPS>, 'made'>;

const duePart = (from: string): string => `
  SELECT * FROM ${from} WHERE stamp <> made AND part = ? ORDER BY name LIMIT ?`;
const DUE_PARTS = statement(
  duePart('listing_stamps INDEXED BY listing_stamps_due'),
  duePart('listing_stamps'),
);

export async function dueParts(
  db: Reader,
  part: DuePart['part'],
  limit: number,
): Promise<readonly DuePart[]> {
  return (await linkOf(db).rows(DUE_PARTS, [part, limit])).map(LISTING_STAMPS.fromRow);
}

const ofGroups = (given: string): string => `
  SELECT l.id, l.agent_group AS name, l.skill_count FROM listings AS l
    JOIN listing_stamps AS s ON s.part = 'group' AND s.name = l.agent_group
    LEFT JOIN listing_texts AS t ON t.listing_id = l.id AND t.form = ?
      AND t.agent_group = l.agent_group AND t.group_stamp = s.stamp
  WHERE l.agent_group ${given} AND t.listing_id IS NULL ORDER BY l.agent_group, l.id LIMIT ?`;
/** By the index of the texts, because an operator may have tens of thousands of listings. */
const ofOperators = (join: string, given: string): string => `
  SELECT l.id, s.name, l.skill_count FROM listing_stamps AS s
    ${join} listing_texts AS t ON t.form = ?
      AND t.operator_id = s.name AND t.operator_stamp < s.stamp
    ${join} listings AS l ON l.id = t.listing_id
  WHERE s.part = 'operator' AND s.name ${given} ORDER BY s.name LIMIT ?`;
const DUE_LISTINGS = {
  group: statement(ofGroups(IN_LIST.sqlite), ofGroups(IN_LIST.postgres)),
  operator: statement(
    ofOperators('CROSS JOIN', IN_LIST.sqlite),
    ofOperators('JOIN', IN_LIST.postgres),
  ),
};

/** A listing without a valid text, and the part that it is read for. */
export interface DueListing {
  readonly id: string;
  readonly name: string;
  readonly skillCount: number;
}

export async function dueListings(
  db: Reader,
  part: DuePart['part'],
  names: readonly string[],
  form: string,
  limit: number,
): Promise<readonly DueListing[]> {
  if (names.length === 0) return [];
  const rows = await linkOf(db).rows(DUE_LISTINGS[part], [form, names, limit]);
  return rows.map(dueListing);
}

const EXPIRED = statement(`
  SELECT l.id, '' AS name, l.skill_count FROM (
    SELECT * FROM (SELECT listing_id FROM listing_texts WHERE form < ? LIMIT ?) AS older
    UNION ALL SELECT * FROM (SELECT listing_id FROM listing_texts WHERE form > ? LIMIT ?) AS newer
    UNION ALL SELECT * FROM (
      SELECT listing_id FROM listing_texts WHERE form = ? AND until <= ? ORDER BY until LIMIT ?
    ) AS expired) AS due
  JOIN listings AS l ON l.id = due.listing_id`);

/** Listings whose text is of another form, or whose time has come. */
export async function expiredTexts(
  db: Reader,
  form: string,
  now: Instant,
  limit: number,
): Promise<readonly DueListing[]> {
  const values = [form, limit, form, limit, form, now, limit];
  return (await linkOf(db).rows(EXPIRED, values)).map(dueListing);
}

function dueListing(row: Row): DueListing {
  return {
    id: column.text(row, 'id'),
    name: column.text(row, 'name'),
    skillCount: column.whole(row, 'skill_count'),
  };
}

const STAMPED = `SELECT l.id, l.agent_group, g.stamp AS group_stamp, l.operator_id,
  o.stamp AS operator_stamp`;
/** SQLite joins in this order, since it would begin with all operators. */
const STAMPS = statement(
  `${STAMPED} FROM json_each(?) AS k CROSS JOIN listings AS l ON l.id = k.value
    CROSS JOIN listing_stamps AS g ON g.part = 'group' AND g.name = l.agent_group
    CROSS JOIN listing_stamps AS o ON o.part = 'operator' AND o.name = l.operator_id`,
  `${STAMPED} FROM listings AS l
    JOIN listing_stamps AS g ON g.part = 'group' AND g.name = l.agent_group
    JOIN listing_stamps AS o ON o.part = 'operator' AND o.name = l.operator_id
    WHERE l.id = ANY(?::text[])`,
);

/** The stamps of listings in the snapshot that their texts are made from. */
export async function stampsOf(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ListingStamps>> {
  const rows = await linkOf(db).rows(STAMPS, [ids]);
  return new Map(
    rows.map((row) => [
      column.text(row, 'id'),
      {
        group: column.text(row, 'agent_group'),
        groupStamp: column.whole(row, 'group_stamp'),
        operatorId: column.text(row, 'operator_id'),
        operatorStamp: column.whole(row, 'operator_stamp'),
      },
    ]),
  );
}

export const LISTING_TEXTS = table(
  'listing_texts',
  {
    listingId: columns.text().key(),
    form: columns.text(),
    agentGroup: columns.text(),
    groupStamp: columns.integer(),
    operatorId: columns.text(),
    operatorStamp: columns.integer(),
    until: columns.moment(),
    tag: columns.text(),
    short: columns.text().optional(),
    record: columns.text().optional(),
  },
  { use: 'single', personal: { apart: 'made from listings' } },
);
const NAMES = LISTING_TEXTS.columns;
const LIST = NAMES.join(', ');
/** A slow process must not put an older text in place of a newer one. */
const NEWER = `ON CONFLICT (listing_id) DO UPDATE SET
    ${LISTING_TEXTS.replacement}
  WHERE listing_texts.form <> excluded.form
    OR listing_texts.agent_group <> excluded.agent_group
    OR listing_texts.operator_id <> excluded.operator_id
    OR (listing_texts.group_stamp <= excluded.group_stamp
      AND listing_texts.operator_stamp <= excluded.operator_stamp)`;
const SAVE = statement(
  `INSERT INTO listing_texts (${LIST})
    SELECT ${NAMES.map((name) => `json_extract(value, '$.${name}')`).join(', ')}
    FROM json_each(?) JOIN listings AS l ON l.id = json_extract(value, '$.listing_id')
    WHERE true ${NEWER}`,
  `INSERT INTO listing_texts (${LIST})
    SELECT ${NAMES.map((name) => `given.${name}`).join(', ')}
    FROM jsonb_to_recordset(?::jsonb) AS given (
      ${typed(LISTING_TEXTS).join(', ')})
      JOIN listings AS l ON l.id = given.listing_id
    ORDER BY given.listing_id ${NEWER}`,
);
const MADE = statement(
  `UPDATE listing_stamps SET made = ? WHERE part = ? AND name = ? AND made < ?`,
);

/** Stores texts, and that all texts of some parts are made. */
export async function saveTexts(
  tx: Writer,
  texts: readonly ListingText[],
  parts: readonly DuePart[],
): Promise<void> {
  const link = linkOf(tx);
  const rows = texts.map(
    ({ id: listingId, stamps: { group: agentGroup, ...stamps }, ...text }) => ({
      ...text,
      ...stamps,
      listingId,
      agentGroup,
    }),
  );
  if (rows.length > 0) await link.rows(SAVE, [bulkRows(LISTING_TEXTS, rows)]);
  for (const { part, name, stamp } of parts) await link.rows(MADE, [stamp, part, name, stamp]);
}
