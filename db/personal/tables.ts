import type { Owned } from '../batch/personal.ts';
import { isDescribed, ownedTables, tableNameOf } from '../batch/tables.ts';
import type { AnyTable } from '../batch/need.ts';

/** Tables with rows about an account, and why some are not erased (choices operator.personal). */
export interface PersonalTable {
  readonly table: string;
  /** The condition that finds the rows; its one value is the account. */
  readonly of: string;
  /** The columns of a unique index, in its order; `int` columns are whole numbers. */
  readonly order: readonly (readonly [column: string, type: 'text' | 'int'])[];
  /** Secrets and derived values, which no export has. */
  readonly without?: readonly string[];
  /** Why the rows, or their rest, stay; absent where all of them are erased. */
  readonly stays?: string;
}

const OF_KEYS = 'r.key_id IN (SELECT k.key_id FROM keys AS k WHERE k.account = ?)';
const THROUGH = {
  keys: OF_KEYS,
  accounts: `r.account_id IN (
  SELECT a.id FROM accounts AS a JOIN networks AS n ON a.network = n.id WHERE a.name = ?)`,
} as const;
/** Tables that have no description yet. */
const NOT_DESCRIBED: readonly PersonalTable[] = [
  {
    table: 'listing_reports',
    of: 'r.reporter = ?',
    order: [['id', 'text']],
    stays: 'The holder answered it; its text is erased.',
  },
];

/** Every table with rows about an account. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  ...ownedTables.flatMap((table) =>
    table.personal !== undefined && 'owner' in table.personal
      ? [personalOf(table, table.personal)]
      : [],
  ),
  ...NOT_DESCRIBED,
];

function personalOf(table: AnyTable, { owner, through, ...personal }: Owned): PersonalTable {
  const described = isDescribed(table) ? table.described : [];
  const keys = described.filter(({ isKey }) => isKey).map(({ name }) => name);
  return {
    ...personal,
    table: tableNameOf(table),
    of: through === undefined ? `r.${owner} = ?` : THROUGH[through],
    order: (personal.order ?? keys).map((column) => {
      const [name = '', type] = column.split(':');
      const known = described.find((each) => each.name === name)?.type;
      return [name, type === 'int' ? type : (known ?? 'text')];
    }),
  };
}
