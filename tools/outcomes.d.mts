/** The cells of each row behind its name, of the table whose first column is `first`. */
export function rowsIn(page: string, first: string): ReadonlyMap<string, readonly string[]>;
