/** The cells of each row behind its name, of the table whose first column is `first`. */
export function rowsIn(page: string, first: string): ReadonlyMap<string, readonly string[]>;

/** The page with the row of `name` in the table with these columns. */
export function withRow(
  page: string,
  columns: readonly string[],
  name: string,
  cells: readonly string[],
): string;
