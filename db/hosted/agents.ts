import type { Account, KeyId } from '../../domain/account.ts';
import type { HostedAgent, HostedTool, HostedVia } from '../../domain/hosted/agent.ts';
import type { Instant } from '../../domain/instant.ts';
import { atomic } from '../../domain/money.ts';
import { parseNetworkId } from '../../domain/network.ts';
import type { CrawlStep } from '../../domain/registry/target.ts';
import { integer, keyId, signedAmount } from '../batch/columns.ts';
import { table } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row, type Writer } from '../connection.ts';
import { ACCOUNTS } from '../ledger/accountsTable.ts';

/** How often an agent was called and what it earned; none of one that is not listed any more. */
export const HOSTED_SERVED = table(
  'hosted_agents',
  {
    keyId: keyId().key(),
    served: integer(),
    failed: integer(),
    refused: integer(),
    earned: signedAmount(),
  },
  { as: 'hosted_served', use: 'update', under: [ACCOUNTS] },
);

/** The table of hosted agents, and which key has which endpoint. */
const READ = statement('SELECT * FROM hosted_agents WHERE key_id = ? AND taken_down_at IS NULL');
const READ_ANY = statement('SELECT * FROM hosted_agents WHERE key_id = ?');
const LOCK = statement(
  'SELECT * FROM hosted_agents WHERE key_id = ?',
  'SELECT * FROM hosted_agents WHERE key_id = ? FOR UPDATE',
);

/** The agent while its listing stands. */
export async function readHosted(db: Reader, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(db).rows(READ, [keyId]));
  return row && agentOf(row);
}

/** The agent, also when its listing was taken down. */
export async function readAnyHosted(db: Reader, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(db).rows(READ_ANY, [keyId]));
  return row && agentOf(row);
}

/** Locks the agent, also when its listing was taken down. */
export async function lockHosted(tx: Writer, keyId: KeyId): Promise<HostedAgent | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCK, [keyId]));
  return row && agentOf(row);
}

/** The columns that listing writes; calls and money are counted in `HOSTED_SERVED` alone. */
export type ListedAgent = Omit<
  HostedAgent,
  'served' | 'failed' | 'refused' | 'earned' | 'takenDownAt'
> & {
  /** The steps of the last crawl, which show a caller what the hub saw. */
  readonly steps: readonly CrawlStep[];
};

const COLUMNS = [
  'key_id',
  'listing_id',
  'network',
  'name',
  'via',
  'endpoint',
  'tools',
  'transport',
  'protocol_version',
  'live',
  'why',
  'checked_at',
  'next_look_at',
  'failures',
  'steps',
  'listed_at',
  'changed_at',
] as const;
const SAVE = statement(`
  INSERT INTO hosted_agents (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (key_id) DO UPDATE SET taken_down_at = NULL,
    ${COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`);

export async function saveHosted(tx: Writer, agent: ListedAgent): Promise<void> {
  const { keyId, listingId, network, name, via, endpoint, tools, transport } = agent;
  await linkOf(tx).rows(SAVE, [
    keyId,
    listingId,
    network,
    name,
    via,
    endpoint,
    JSON.stringify(tools.map(storedTool)),
    transport,
    agent.protocolVersion ?? null,
    agent.live ? 1 : 0,
    agent.why,
    agent.checkedAt,
    agent.nextLookAt,
    agent.failures,
    JSON.stringify(agent.steps),
    agent.listedAt,
    agent.changedAt,
  ]);
}

const STEPS = statement('SELECT steps FROM hosted_agents WHERE key_id = ?');

export async function stepsOfHosted(db: Reader, keyId: KeyId): Promise<readonly CrawlStep[]> {
  const row = column.one(await linkOf(db).rows(STEPS, [keyId]));
  return row === undefined ? [] : (column.json(row, 'steps') as readonly CrawlStep[]);
}

const DROP_ENDPOINT = statement('DELETE FROM hosted_endpoints WHERE key_id = ?');
const TAKE_ENDPOINT = statement(`
  INSERT INTO hosted_endpoints (endpoint, key_id) VALUES (?, ?)
  ON CONFLICT (endpoint) DO UPDATE SET endpoint = excluded.endpoint RETURNING key_id`);

/** Gives an endpoint to a key in place of what it had; answers whose it is. */
export async function takeEndpoint(tx: Writer, endpoint: string, keyId: KeyId): Promise<KeyId> {
  await linkOf(tx).rows(DROP_ENDPOINT, [keyId]);
  const row = column.one(await linkOf(tx).rows(TAKE_ENDPOINT, [endpoint, keyId]));
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
    const connected = column.timeOrNull(row, 'connected_until');
    return { agent: agentOf(row), ...(connected !== null && { connected }) };
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
  return (await linkOf(db).rows(LIVE, [after, limit])).map(agentOf);
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
  return (await linkOf(tx).rows(DUE, [until, now, limit])).map(agentOf);
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

function agentOf(row: Row): HostedAgent {
  const network = parseNetworkId(column.text(row, 'network'));
  if (network === undefined) throw new Error('a damaged hosted agent');
  const protocolVersion = column.textOrNull(row, 'protocol_version');
  const takenDownAt = column.timeOrNull(row, 'taken_down_at');
  return {
    keyId: column.text(row, 'key_id') as KeyId,
    listingId: column.text(row, 'listing_id'),
    network,
    name: column.text(row, 'name'),
    via: column.text(row, 'via') as HostedVia,
    endpoint: column.text(row, 'endpoint'),
    tools: (column.json(row, 'tools') as readonly StoredTool[]).map(toolOf),
    transport: column.text(row, 'transport'),
    ...(protocolVersion !== null && { protocolVersion }),
    live: column.flag(row, 'live'),
    why: column.text(row, 'why'),
    checkedAt: column.time(row, 'checked_at'),
    nextLookAt: column.time(row, 'next_look_at'),
    failures: column.whole(row, 'failures'),
    listedAt: column.time(row, 'listed_at'),
    changedAt: column.time(row, 'changed_at'),
    served: column.whole(row, 'served'),
    failed: column.whole(row, 'failed'),
    refused: column.whole(row, 'refused'),
    earned: column.amount(row, 'earned'),
    ...(takenDownAt !== null && { takenDownAt }),
  };
}
