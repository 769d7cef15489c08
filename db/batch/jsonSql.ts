import type { Dialect } from '../connection.ts';

/** Queries the texts of a JSON list as `text`. */
export function textsIn(json: string, dialect: Dialect): string {
  return dialect === 'sqlite'
    ? `SELECT value AS text FROM json_each(${json})`
    : `SELECT jsonb_array_elements_text(${json}::jsonb) AS text`;
}

/** The rows of a query as text of a JSON list of lists; SQLite else embeds it as JSON, not text. */
export function rowsAsJson(cells: string, query: string, dialect: Dialect): string {
  return dialect === 'sqlite'
    ? `'' || (SELECT json_group_array(json_array(${cells})) FROM (${query}) AS each)`
    : `(SELECT coalesce(json_agg(json_build_array(${cells})), '[]')::text FROM (${query}) AS each)`;
}
