import type { Dialect } from './connection.ts';

/** Rows as one JSON text, since the SQLite driver is slow with rows. No rows are an empty list. */
interface JsonRows {
  /** Each row as an array of columns. */
  arrays(columns: string): string;
  /** Each row as an object, of `'name', column` pairs. */
  objects(pairs: string): string;
}

export const JSON_ROWS: Readonly<Record<Dialect, JsonRows>> = {
  sqlite: {
    arrays: (columns) => `json_group_array(json_array(${columns}))`,
    objects: (pairs) => `json_group_array(json_object(${pairs}))`,
  },
  postgres: {
    arrays: (columns) => `coalesce(json_agg(json_build_array(${columns})), '[]')::text`,
    objects: (pairs) => `coalesce(json_agg(json_build_object(${pairs})), '[]')::text`,
  },
};
