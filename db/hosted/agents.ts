import type { Account, KeyId } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import type { HostedAgent, HostedTool, HostedVia } from '../../domain/hosted/agent.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic, ZERO } from '../../domain/money.ts';
import type { CrawlStep } from '../../domain/registry/target.ts';
import * as columns from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Writer } from '../connection.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';

/** How often an agent was called and what it earned; none of one that is not listed any more. */
export const HOSTED_SERVED = table(
  'hosted_agents',
  {
    keyId: columns.keyId().key(),
    served: columns.integer(),
    failed: columns.integer(),
    refused: columns.integer(),
    earned: columns.signedAmount(),
  },
  { as: 'hosted_served', use: 'update', under: [ACCOUNTS] },
);

const TOOLS = columns.column<readonly HostedTool[]>(
  'text',
  (tools) => JSON.stringify(tools.map(storedTool)),
  (cell, name) => (JSON.parse(column.textOf(cell, name)) as readonly StoredTool[]).map(toolOf),
);

/** Hosted agents; calls and money are counted in `HOSTED_SERVED` alone. */
export const HOSTED_AGENTS = table(
  'hosted_agents',
  {
    keyId: columns.keyId().key(),
    listingId: columns.text(),
    network: columns.network(),
    name: columns.text(),
    via: columns.text<HostedVia>(),
    endpoint: columns.text(),
    tools: TOOLS,
    transport: columns.text(),
    protocolVersion: columns.text().optional(),
    live: columns.flag(),
    why: columns.text(),
    checkedAt: columns.moment(),
    nextLookAt: columns.moment(),
    failures: columns.integer(),
    /** The steps of the last crawl, which show a caller what the hub saw. */
    steps: columns.json<readonly CrawlStep[]>(),
    listedAt: columns.moment(),
    changedAt: columns.moment(),
    served: columns.integer().counted(),
    failed: columns.integer().counted(),
    refused: columns.integer().counted(),
    earned: columns.amount().counted(),
    takenDownAt: columns.moment().optional(),
  },
  {
    use: 'single',
    personal: {
      owner: 'key_id',
      through: 'keys',
      stays: 'Its fee is charged once and its receipts name it; it is taken down.',
    },
  },
);

/** Which key has which endpoint. */
export const HOSTED_ENDPOINTS = table(
  'hosted_endpoints',
  { endpoint: columns.text().key(), keyId: columns.keyId() },
  { use: 'single', personal: { apart: 'the endpoint of a hosted agent, in the export of that' } },
);

const READ = statement('SELECT * FROM hosted_agents WHERE key_id = ? AND taken_down_at IS NULL');
const READ_ANY = statement('SELECT * FROM hosted_agents WHERE key_id = ?');
const LOCK = statement(
  'SELECT * FROM hosted_agents WHERE key_id = ?',
  'SELECT * FROM hosted_agents WHERE key_id = ? FOR UPDATE',
);

/** The agent while its listing stands. */
export async function readHosted(db: Reader, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [keyId]));
  return row && HOSTED_AGENTS.fromRow(row);
}

/** The agent, also when its listing was taken down. */
export async function readAnyHosted(db: Reader, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(db).rows(READ_ANY, [keyId]));
  return row && HOSTED_AGENTS.fromRow(row);
}

/** Locks the agent, also when its listing was taken down. */
export async function lockHosted(tx: Writer, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [keyId]));
  return row && HOSTED_AGENTS.fromRow(row);
}

/** The part that listing writes. */
export type ListedAgent = Omit<
  RowIn<typeof HOSTED_AGENTS>,
  'served' | 'failed' | 'refused' | 'earned' | 'takenDownAt'
>;

const SAVE = statement(`
  ${HOSTED_AGENTS.insertion} ON CONFLICT (key_id) DO UPDATE SET ${HOSTED_AGENTS.replacement}`);

export async function saveHosted(tx: Writer, agent: ListedAgent): Promise<void> {
  const served = { served: 0, failed: 0, refused: 0, earned: ZERO };
  await linkOf(tx).rows(SAVE, HOSTED_AGENTS.cells({ ...agent, ...served }));
}

export async function stepsOfHosted(db: Reader, keyId: KeyId): Promise<readonly CrawlStep[]> {
  const row = column.one(await linkOf(db).rows(READ_ANY, [keyId]));
  return row === undefined ? [] : HOSTED_AGENTS.fromRow(row).steps;
}

const DROP_ENDPOINT = statement('DELETE FROM hosted_endpoints WHERE key_id = ?');
const TAKE_ENDPOINT = statement(`
  ${HOSTED_ENDPOINTS.insertion} ON CONFLICT (endpoint) DO UPDATE SET endpoint = excluded.endpoint RETURNING key_id`);

/** Gives an endpoint to a key in place of what it had; answers whose it is. */
export async function takeEndpoint(tx: Writer, endpoint: string, keyId: KeyId): Promise<KeyId> {
  await linkOf(tx).rows(DROP_ENDPOINT, [keyId]);
  const row = column.one(
    await linkOf(tx).rows(TAKE_ENDPOINT, HOSTED_ENDPOINTS.cells({ endpoint, keyId })),
  );
  if (row === undefined) throw new Error('an upsert answers its row');
  return column.text(row, 'key_id') as KeyId;
}

/** Frees the endpoint of a key, which another may then list. */
export async function leaveEndpoint(tx: Writer, keyId: KeyId): Promise<void> {
  await linkOf(tx).rows(DROP_ENDPOINT, [keyId]);
}

const RENAME = statement('UPDATE hosted_agents SET name = ?, changed_at = ? WHERE key_id = ?');

export async function renameHosted(
  tx: Writer,
  keyId: KeyId,
  { name, at }: { readonly name: string; readonly at: Instant },
): Promise<void> {
  await linkOf(tx).rows(RENAME, [name, at, keyId]);
}

const TAKE_DOWN = statement(`
  UPDATE hosted_agents SET live = 0, why = ?, changed_at = ?, taken_down_at = ?
  WHERE key_id = ?`);

/** Marks a locked agent as taken down; its totals stay, and calls under way still count there. */
export async function takeHostedDown(
  tx: Writer,
  keyId: KeyId,
  { why, at }: { readonly why: string; readonly at: Instant },
): Promise<void> {
  await linkOf(tx).rows(TAKE_DOWN, [why, at, at, keyId]);
}

const OF_ACCOUNT = statement(`
  SELECT a.*, c.until AS connected_until
  FROM hosted_agents a LEFT JOIN hosted_connections c ON c.key_id = a.key_id
  WHERE a.key_id > ? AND a.key_id IN (SELECT key_id FROM keys WHERE account = ?)
  ORDER BY a.key_id LIMIT ?`);

/** An agent, and until when its connection counts. */
export interface OwnHosted {
  readonly agent: HostedAgent;
  readonly connected?: Instant;
}

/** The agents of an account's keys, also those that were taken down, in the order of the keys. */
export async function hostedOfAccount(
  db: Reader,
  account: Account,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly OwnHosted[]> {
  const rows = await linkOf(db).rows(OF_ACCOUNT, [after, account, limit]);
  return rows.map((row) => {
    const connected = column.timeOrNull(row, 'connected_until') ?? undefined;
    return { agent: HOSTED_AGENTS.fromRow(row), ...defined({ connected }) };
  });
}

const LIVE = statement(`
  SELECT * FROM hosted_agents WHERE key_id > ? AND live = 1 AND taken_down_at IS NULL
    ORDER BY key_id LIMIT ?`);

/** Agents that answered their last probe, in the order of their keys. */
export async function liveHosted(
  db: Reader,
  after: string,
  limit: number,
): Promise<readonly HostedAgent[]> {
  return (await linkOf(db).rows(LIVE, [after, limit])).map(HOSTED_AGENTS.fromRow);
}

const DUE = statement(
  `UPDATE hosted_agents SET next_look_at = ? WHERE key_id IN (
      SELECT key_id FROM hosted_agents WHERE next_look_at <= ? AND taken_down_at IS NULL
      ORDER BY next_look_at LIMIT ?)
    RETURNING *`,
  `UPDATE hosted_agents SET next_look_at = ? WHERE key_id IN (
      SELECT key_id FROM hosted_agents WHERE next_look_at <= ? AND taken_down_at IS NULL
      ORDER BY next_look_at LIMIT ? FOR UPDATE SKIP LOCKED)
    RETURNING *`,
);

/** Agents whose look is due, each for one process until `until`, when a killed look is due again. */
export async function dueHosted(
  tx: Writer,
  { now, until, limit }: { readonly now: Instant; readonly until: Instant; readonly limit: number },
): Promise<readonly HostedAgent[]> {
  return (await linkOf(tx).rows(DUE, [until, now, limit])).map(HOSTED_AGENTS.fromRow);
}

interface StoredTool extends Omit<HostedTool, 'price'> {
  readonly price?: string;
}

function storedTool({ price, ...tool }: HostedTool): StoredTool {
  return { ...tool, ...(price !== undefined && { price: `${price}` }) };
}

function toolOf({ price, ...tool }: StoredTool): HostedTool {
  return { ...tool, ...(price !== undefined && { price: atomic(BigInt(price)) }) };
}
