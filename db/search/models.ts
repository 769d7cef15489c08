import type { Instant } from '../../domain/instant.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { SEARCH_MODELS, type SearchModel } from './vectorTables.ts';

const MODEL = statement('SELECT * FROM search_models WHERE model = ?');

export async function searchModel(db: Reader, model: string): Promise<SearchModel | undefined> {
  const row = column.one(await linkOf(db).rows(MODEL, [model]));
  return row && SEARCH_MODELS.fromRow(row);
}

const TOUCH = statement(
  `${SEARCH_MODELS.insertion} ON CONFLICT (model) DO UPDATE SET used_at = excluded.used_at`,
);

/** Says that a model is in use; the first process makes its row. */
export async function useModel(tx: Writer, model: string, at: Instant): Promise<void> {
  const counts = { seen: 0, changed: 0, vectors: 0, hour: 0, asked: 0 };
  const cells = SEARCH_MODELS.cells({ model, ...counts, usedAt: at, claimedUntil: at });
  await linkOf(tx).rows(TOUCH, [...cells]);
}

const IN_HOUR = '(CASE WHEN hour = ? THEN asked ELSE 0 END + ?)';
const CLAIM = statement(`
  UPDATE search_models SET claimed_until = ?, asked = ${IN_HOUR}, hour = ?
  WHERE model = ? AND claimed_until <= ? AND ${IN_HOUR} <= ? RETURNING model`);

export interface AskClaim {
  readonly now: Instant;
  readonly until: Instant;
  readonly hour: number;
  readonly texts: number;
  readonly hourMax: number;
}

/** Claims the asking and counts its texts; false while another process asks or the hour is used up. */
export async function claimAsking(tx: Writer, model: string, claim: AskClaim): Promise<boolean> {
  const { now, until, hour, texts, hourMax } = claim;
  const values = [until, hour, texts, hour, model, now, hour, texts, hourMax];
  return (await linkOf(tx).rows(CLAIM, values)).length > 0;
}

const RELEASE = statement('UPDATE search_models SET claimed_until = 0 WHERE model = ?');

/** Ends the claim, and locks the row of the model until the commit. */
export async function releaseAsking(tx: Writer, model: string): Promise<void> {
  await linkOf(tx).rows(RELEASE, [model]);
}

const COUNT = statement(`
  UPDATE search_models SET changed = changed + ?, vectors = vectors + ? WHERE model = ?
  RETURNING changed`);

/** Counts changes of a model's vectors in the order of their commits; returns the last of them. */
export async function countChanges(
  tx: Writer,
  model: string,
  { changes, vectors }: { readonly changes: number; readonly vectors: number },
): Promise<number> {
  const [row] = await linkOf(tx).rows(COUNT, [changes, vectors, model]);
  return row === undefined ? 0 : column.whole(row, 'changed');
}

const UNUSED = statement('SELECT model FROM search_models WHERE used_at < ? LIMIT 1');
const some = (name: string, key: string): string =>
  `DELETE FROM ${name} WHERE model = ? AND ${key} IN
    (SELECT ${key} FROM ${name} WHERE model = ? LIMIT ?) RETURNING 1 AS gone`;
const FORGET = [some('search_vectors', 'digest'), some('search_texts', 'ref')].map((text) =>
  statement(text),
);
const FORGET_MODEL = statement('DELETE FROM search_models WHERE model = ?');

/** Deletes rows of a model that was not used since; returns how many, 0 when there is none. */
export async function forgetUnused(tx: Writer, before: Instant, limit: number): Promise<number> {
  const link = linkOf(tx);
  const row = column.one(await link.rows(UNUSED, [before]));
  if (row === undefined) return 0;
  const model = column.text(row, 'model');
  for (const each of FORGET) {
    const gone = (await link.rows(each, [model, model, limit])).length;
    if (gone > 0) return gone;
  }
  await link.rows(FORGET_MODEL, [model]);
  return 1;
}
