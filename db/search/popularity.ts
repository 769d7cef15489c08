import type { Popularity } from '../../domain/search/rank.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Dialect, type Reader } from '../connection.ts';
import { IN_LIST } from '../inList.ts';
import { JSON_ROWS } from '../jsonRows.ts';
import type { Found } from './find.ts';

/** How found things stand now; what is gone meanwhile has no standing. */
export interface FoundPopularity extends Popularity {
  /** Of the task, or of that which the comment is about. */
  readonly state?: string;
}

const standingText = (dialect: Dialect): string => {
  const [list, ids] = [JSON_ROWS[dialect].arrays, IN_LIST[dialect]];
  return `SELECT
    (SELECT ${list('id, answers, karma, reach')} FROM listings WHERE id ${ids}) AS listings,
    (SELECT ${list('t.id, t.state')} FROM tasks AS t WHERE t.id ${ids}) AS tasks,
    (SELECT ${list('c.id, t.state')} FROM comments AS c JOIN tasks AS t ON t.id = c.task_id
      WHERE c.body IS NOT NULL AND c.id ${ids}) AS comments`;
};
const STANDING = statement(standingText('sqlite'), standingText('postgres'));

/** By `ref`, which no two kinds of things share but a listing and its skills. */
export async function popularityOf(
  db: Reader,
  found: readonly Found[],
): Promise<ReadonlyMap<string, FoundPopularity>> {
  const all = new Map<string, FoundPopularity>();
  if (found.length === 0) return all;
  const refs = { listing: new Set<string>(), task: new Set<string>(), comment: new Set<string>() };
  for (const { kind, ref } of found) {
    refs[kind === 'agent' || kind === 'skill' ? 'listing' : kind].add(ref);
  }
  const given = [[...refs.listing], [...refs.task], [...refs.comment]];
  const [row] = await linkOf(db).rows(STANDING, given);
  if (row === undefined) return all;
  for (const each of column.json(row, 'listings') as [string, number, number, number][]) {
    const [id, answers, karma, reach] = each;
    all.set(id, { answers: answers === 1, karma, reach });
  }
  for (const name of ['tasks', 'comments']) {
    for (const [id, state] of column.json(row, name) as [string, string][]) {
      all.set(id, { answers: true, karma: 0, reach: 0, state });
    }
  }
  return all;
}
