import type { Cell, Dialect, Value } from '../connection.ts';

/** Lists of cells as one value: JSON text for `json_each`, or an array of JSON for `unnest`. */
export function listsOf(dialect: Dialect, lists: readonly (readonly Cell[])[]): Value {
  return dialect === 'sqlite' ? JSON.stringify(lists) : lists.map((cells) => JSON.stringify(cells));
}

/** Queries the texts of a JSON list as `text`. */
export function textsIn(json: string, dialect: Dialect): string {
  return dialect === 'sqlite'
    ? `SELECT value AS text FROM json_each(${json})`
    : `SELECT jsonb_array_elements_text(${json}::jsonb) AS text`;
}

/**
 * Returns SQL for the rows of a query as the text of a JSON list of lists. It is text on SQLite
 * too, which would embed JSON in the JSON around it.
 */
export function rowsAsJson(cells: string, query: string, dialect: Dialect): string {
  return dialect === 'sqlite'
    ? `'' || (SELECT json_group_array(json_array(${cells})) FROM (${query}) AS each)`
    : `(SELECT coalesce(json_agg(json_build_array(${cells})), '[]')::text FROM (${query}) AS each)`;
}
