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
const OF_ACCOUNT_ID = `r.account_id IN (
  SELECT a.id FROM accounts AS a JOIN networks AS n ON a.network = n.id WHERE a.name = ?)`;
const BOOKS = 'The books and their seals need every entry.';
const PAID = 'It was paid for, and its digest is in receipts and terms of others.';
const PARTIES = 'The other parties of the market, table or loan rely on it.';
const ID = [['id', 'text']] as const;
const BY_NETWORK = [
  ['network', 'text'],
  ['id', 'text'],
] as const;

export const PERSONAL_TABLES: readonly PersonalTable[] = [
  {
    table: 'keys',
    of: 'r.account = ?',
    order: [['key_id', 'text']],
    stays: 'Signatures name the key; its label is erased.',
  },
  {
    table: 'api_keys',
    of: 'r.account = ?',
    order: ID,
    without: ['digest'],
    stays: 'Receipts name the key; its label is erased. Revoke it with wallet.revokeApiKey.',
  },
  { table: 'webhooks', of: 'r.account = ?', order: ID },
  { table: 'webhook_deliveries', of: 'r.account = ?', order: ID },
  {
    table: 'key_policies',
    of: 'r.account = ?',
    order: [['key_id', 'text']],
    stays: 'It protects the account against its own keys.',
  },
  { table: 'account_events', of: 'r.account = ?', order: [['seq', 'int']] },
  {
    table: 'entries',
    of: OF_ACCOUNT_ID,
    order: [
      ['account_id', 'int'],
      ['account_seq', 'int'],
    ],
    stays: BOOKS,
  },
  { table: 'commitments', of: OF_ACCOUNT_ID, order: ID, stays: BOOKS },
  { table: 'chain_deposits', of: 'r.account = ?', order: BY_NETWORK, stays: BOOKS },
  { table: 'withdrawals', of: 'r.account = ?', order: BY_NETWORK, stays: BOOKS },
  { table: 'x402_payments', of: 'r.account = ?', order: BY_NETWORK, stays: BOOKS },
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
    table: 'karma_entries',
    of: 'r.subject = ?',
    order: ID,
    stays: 'Others decide by the record of the account.',
  },
  { table: 'tasks', of: 'r.requester = ?', order: ID, stays: PAID },
  { table: 'chains', of: 'r.requester = ?', order: ID, stays: PAID },
  {
    table: 'attempts',
    of: 'r.worker = ?',
    order: ID,
    without: ['token_key', 'token_hash'],
    stays: PAID,
  },
  {
    table: 'pitches',
    of: 'r.worker = ?',
    order: ID,
    stays: 'The requester chose by it.',
  },
  {
    table: 'comments',
    of: 'r.author = ?',
    order: ID,
    stays: 'Answers hang on its place; its text is erased.',
  },
  {
    table: 'disputes',
    of: 'r.raised_by = ?',
    order: [['task_id', 'text']],
    stays: 'It explains a ruling that moved money.',
  },
  {
    table: 'trials',
    of: 'r.account = ?',
    order: [['task_id', 'text']],
    without: ['answers'],
    stays: 'A trial may be passed once.',
  },
  { table: 'loans', of: 'r.borrower = ?', order: ID, stays: PARTIES },
  {
    table: 'seats',
    of: 'r.account = ?',
    order: [['account', 'text']],
    stays: 'Rulings and votes name the seat.',
  },
  {
    table: 'panel_seats',
    of: 'r.account = ?',
    order: [
      ['round_id', 'text'],
      ['place', 'int'],
    ],
    stays: 'The vote decided about money of others.',
  },
  { table: 'reviews', of: 'r.reviewer = ?', order: ID, stays: 'It moved the karma of another.' },
  {
    table: 'listing_reports',
    of: 'r.reporter = ?',
    order: ID,
    stays: 'The holder answered it; its text is erased.',
  },
  { table: 'calls', of: 'r.caller = ?', order: BY_NETWORK, stays: BOOKS },
  { table: 'model_calls', of: 'r.payer = ?', order: BY_NETWORK, stays: BOOKS },
  {
    table: 'hosted_agents',
    of: OF_KEYS,
    order: [['key_id', 'text']],
    stays: 'Its fee is charged once and its receipts name it; it is taken down.',
  },
  { table: 'hosted_calls', of: 'r.caller = ?', order: ID, stays: 'The holder was paid by it.' },
  { table: 'memory_spaces', of: 'r.owner = ?', order: [['no', 'int']] },
  {
    table: 'notes',
    of: 'r.author = ?',
    order: [['no', 'int']],
    without: ['embedding', 'digest'],
    stays: 'Notes in spaces of others belong to those; notes of own spaces are erased.',
  },
  { table: 'files', of: 'r.owner = ?', order: [['key', 'text']] },
  { table: 'markets', of: 'r.creator = ?', order: ID, stays: PARTIES },
  {
    table: 'market_positions',
    of: 'r.account = ?',
    order: [['market_id', 'text']],
    stays: PARTIES,
  },
  {
    table: 'market_bets',
    of: 'r.account = ?',
    order: [
      ['market_id', 'text'],
      ['version', 'int'],
    ],
    stays: PARTIES,
  },
  { table: 'poker_seats', of: 'r.account = ?', order: [['table_id', 'text']], stays: PARTIES },
  {
    table: 'moderation_decisions',
    of: 'r.account = ?',
    order: ID,
    stays: 'Decisions of the operator are never deleted.',
  },
];
