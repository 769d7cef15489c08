import { linkOf, statement, type Reader, type Row, type Statement } from '../connection.ts';

/** An invariant of choices ledger.invariants as one aggregate that returns rows which break it. */
export interface Check {
  readonly invariant: string;
  readonly says: string;
  readonly sql: string;
  /** The column that decides which rows are shown first; any are when it is absent. */
  readonly orderBy?: string;
}
/** The checks of an area, which its `checks.ts` exports as `checks`. */
export interface AreaChecks {
  /** While the database has no such table the area has nothing to look at. */
  readonly table: string;
  /** Over accounts, open commitments and the area's own rows: asked every minute. */
  readonly current?: readonly Check[];
  /** Over the whole journal: asked by a full count alone. */
  readonly journal?: readonly Check[];
  /** Over the transfers with a number above the placeholder: asked every minute. */
  readonly newEntries?: readonly Check[];
}

export interface Prepared {
  readonly invariant: string;
  readonly says: string;
  readonly text: Statement;
}
export interface Difference {
  readonly invariant: string;
  readonly says: string;
  /** The offending row, as the database gave it. */
  readonly found: Readonly<Record<string, string>>;
}

/** Rows shown of one broken rule: enough to start looking. */
const SHOWN_MAX = 20;

export function prepared(checks: readonly Check[]): readonly Prepared[] {
  return checks.map(({ invariant, says, sql, orderBy }) => {
    const order = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`;
    const text = statement(`SELECT * FROM (${sql}) AS found${order} LIMIT ${SHOWN_MAX}`);
    return { invariant, says, text };
  });
}

/** `values` fill the placeholders, the same in every check. */
export async function differencesOf(
  db: Reader,
  checks: readonly Prepared[],
  values: readonly number[] = [],
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  for (const { invariant, says, text } of checks) {
    for (const row of await linkOf(db).rows(text, values)) {
      differences.push({ invariant, says, found: shown(row) });
    }
  }
  return differences;
}

function shown(row: Row): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}
