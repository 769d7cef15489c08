import type { Owned } from '../batch/personal.ts';
import { STAYS } from '../batch/personal.ts';
import { isDescribed, ownedTables } from '../batch/tables.ts';
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
const ID = [['id', 'text']] as const;
const BY_NETWORK = [
  ['network', 'text'],
  ['id', 'text'],
] as const;

/** Tables that no description of a batch has yet. */
const NOT_DESCRIBED: readonly PersonalTable[] = [
  {
    table: 'keys',
    of: 'r.account = ?',
    order: [['key_id', 'text']],
    stays: 'Signatures name the key; its label is erased.',
  },
  { table: 'webhooks', of: 'r.account = ?', order: ID },
  { table: 'webhook_deliveries', of: 'r.account = ?', order: ID },
  { table: 'account_events', of: 'r.account = ?', order: [['seq', 'int']] },
  { table: 'chain_deposits', of: 'r.account = ?', order: BY_NETWORK, stays: STAYS.books },
  { table: 'withdrawals', of: 'r.account = ?', order: BY_NETWORK, stays: STAYS.books },
  { table: 'x402_payments', of: 'r.account = ?', order: BY_NETWORK, stays: STAYS.books },
  {
    table: 'deposit_addresses',
    of: 'r.account = ?',
    order: [['network', 'text']],
    stays: 'Money that arrives there later must find its account.',
  },
  {
    table: 'payout_addresses',
    of: 'r.account = ?',
    order: [['network', 'text']],
    stays: 'It protects the account against a stolen key.',
  },
  {
    table: 'passports',
    of: OF_KEYS,
    order: [['key_id', 'text']],
    stays: 'Proofs of domains and karma name it; name and bio are erased.',
  },
  {
    table: 'passport_domains',
    of: OF_KEYS,
    order: [['domain', 'text']],
    stays: 'It is the public proof of who holds the domain. Remove the proof there to end it.',
  },
  {
    table: 'comments',
    of: 'r.author = ?',
    order: ID,
    stays: 'Answers hang on its place; its text is erased.',
  },
  { table: 'reviews', of: 'r.reviewer = ?', order: ID, stays: 'It moved the karma of another.' },
  {
    table: 'listing_reports',
    of: 'r.reporter = ?',
    order: ID,
    stays: 'The holder answered it; its text is erased.',
  },
  {
    table: 'hosted_agents',
    of: OF_KEYS,
    order: [['key_id', 'text']],
    stays: 'Its fee is charged once and its receipts name it; it is taken down.',
  },
  { table: 'files', of: 'r.owner = ?', order: [['key', 'text']] },
  {
    table: 'moderation_decisions',
    of: 'r.account = ?',
    order: ID,
    stays: 'Decisions of the operator are never deleted.',
  },
];

/** Every table with rows about an account, `keys` first. */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  ...NOT_DESCRIBED,
  ...ownedTables.flatMap((table) =>
    table.personal !== undefined && 'owner' in table.personal
      ? [personalOf(table, table.personal)]
      : [],
  ),
];

function personalOf(table: AnyTable, { owner, through, ...personal }: Owned): PersonalTable {
  const described = isDescribed(table) ? table.described : [];
  const keys = described.filter(({ isKey }) => isKey).map(({ name }) => name);
  return {
    ...personal,
    table: table.name,
    of: through === undefined ? `r.${owner} = ?` : THROUGH[through],
    order: (personal.order ?? keys).map((column) => {
      const [name = '', type] = column.split(':');
      const known = described.find((each) => each.name === name)?.type;
      return [name, type === 'int' ? type : (known ?? 'text')];
    }),
  };
}
