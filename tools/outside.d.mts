/** Scripts that need more than npm alone. */
export const SCRIPTS: readonly string[];
/** Outcome, date, Node and minutes of each script, as the page has them. */
export function rowsIn(page: string): ReadonlyMap<string, readonly string[]>;
