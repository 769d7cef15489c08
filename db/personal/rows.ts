import { cursorOf, placeIn } from '../../domain/cursor.ts';
import type { Account } from '../../domain/account.ts';
import { linkOf, statement, type Reader, type Row, type Value } from '../connection.ts';
import { PERSONAL_TABLES, type PersonalTable } from './tables.ts';

/** Rows about an account, table by table; the place of a row is where the next page begins. */
export interface PersonalRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}
export interface PersonalPlace {
  readonly table: string;
  /** The ordering columns of the last row; absent at the start of the table. */
  readonly after?: readonly Value[];
}

const STATEMENTS = PERSONAL_TABLES.map((each) => {
  const { table, of, order } = each;
  const columns = order.map(([name]) => `r.${name}`).join(', ');
  const marks = order.map(() => '?').join(', ');
  const read = (behind: string) =>
    statement(`SELECT r.* FROM ${table} AS r WHERE ${of} ${behind} ORDER BY ${columns} LIMIT ?`);
  return { ...each, first: read(''), next: read(`AND (${columns}) > (${marks})`) };
});

/** At most `limit` rows behind a place, or from the first table. */
export async function personalRows(
  db: Reader,
  account: Account,
  place: PersonalPlace | undefined,
  limit: number,
): Promise<readonly PersonalRow[]> {
  const found: PersonalRow[] = [];
  const from = STATEMENTS.findIndex(
    ({ table }) => table === (place?.table ?? PERSONAL_TABLES[0]?.table),
  );
  for (const { first, next, ...of } of STATEMENTS.slice(from)) {
    const after = of.table === place?.table ? place.after : undefined;
    const left = limit - found.length;
    const values = [account, ...(after ?? []), left];
    const rows = await linkOf(db).rows(after === undefined ? first : next, values);
    found.push(...rows.map((row) => ({ table: of.table, row: withoutSecrets(of, row) })));
    if (found.length === limit) break;
  }
  return found;
}

function withoutSecrets({ without = [] }: PersonalTable, row: Row): PersonalRow['row'] {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name)));
}

/** The place of a row as an opaque text. */
export function placeOf({ table, row }: PersonalRow): string {
  const order = PERSONAL_TABLES.find((each) => each.table === table)?.order ?? [];
  const after = order.map(([name]) => row[name]);
  return cursorOf([table, ...after]);
}

/** Returns the place that a text names; undefined if no answer gave it. */
export function readPlace(text: string): PersonalPlace | undefined {
  const [table, ...after] = placeIn(text);
  const found = PERSONAL_TABLES.find((each) => each.table === table);
  if (found === undefined || after.length !== found.order.length) return undefined;
  const isTyped = found.order.every(([, type], nth) =>
    type === 'int' ? Number.isSafeInteger(after[nth]) : isStorable(after[nth]),
  );
  return isTyped ? { table: found.table, after: after as readonly Value[] } : undefined;
}

/** PostgreSQL takes no text with a zero character or half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0') && !/[\ud800-\udfff]/u.test(value);
}
