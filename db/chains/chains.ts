import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import type { Account } from '../../domain/account.ts';
import { CHAIN_STATES } from '../../domain/chain/model.ts';
import type { Chain, ChainState, StepDeal } from '../../domain/chain/model.ts';
import { seconds } from '../../domain/instant.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import { parseNetworkId } from '../../domain/network.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row, Writer } from '../connection.ts';

/** The tables of chains and of their steps. */
export interface StoredChain {
  readonly chain: Chain;
  /** The commitment that holds what no step has earned; closed once nothing is left. */
  readonly holdId: CommitmentId;
}
export interface StoredStep {
  readonly n: number;
  readonly deal: StepDeal;
  /** Absent while it waits. */
  readonly taskId?: string;
}

const BY_ID = statement('SELECT * FROM chains WHERE id = ?');
const LOCKED = statement(
  'SELECT * FROM chains WHERE id = ?',
  'SELECT * FROM chains WHERE id = ? FOR UPDATE',
);

export async function readChain(db: Reader, id: string): Promise<StoredChain | undefined> {
  const row = column.one(await linkOf(db).rows(BY_ID, [id]));
  return row && storedChain(row);
}

/** After the task of its step: whoever decides about both has them in this order. */
export async function lockChain(tx: Writer, id: string): Promise<StoredChain | undefined> {
  const row = column.one(await linkOf(tx).rows(LOCKED, [id]));
  return row && storedChain(row);
}

const INSERT = statement(`
  INSERT INTO chains (id, requester, title, network, distinct_workers, state, steps, step, total,
    spent, refunded, waiting, hold_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
const INSERT_STEP = statement(`
  INSERT INTO chain_steps (chain_id, n, title, description, reward, verification, acceptance,
    required_skills, auto_accept_seconds, dispute_window_seconds)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

export async function insertChain(
  tx: Writer,
  { chain, holdId }: StoredChain,
  steps: readonly StepDeal[],
): Promise<void> {
  await linkOf(tx).rows(INSERT, [
    chain.id,
    chain.requester,
    chain.title,
    chain.network,
    chain.distinctWorkers ? 1 : 0,
    chain.state,
    chain.steps,
    chain.step,
    ...sums(chain),
    holdId,
    chain.createdAt,
  ]);
  for (const [place, deal] of steps.entries()) {
    await linkOf(tx).rows(INSERT_STEP, [
      chain.id,
      place + 1,
      deal.title,
      deal.description,
      `${deal.reward}`,
      deal.verification,
      deal.acceptance === undefined ? null : JSON.stringify(deal.acceptance),
      JSON.stringify(deal.requiredSkills),
      deal.windows.autoAcceptSeconds ?? null,
      deal.windows.disputeWindowSeconds,
    ]);
  }
}

const UPDATE = statement(`
  UPDATE chains SET state = ?, step = ?, total = ?, spent = ?, refunded = ?, waiting = ?,
    ended_at = ?, end_reason = ? WHERE id = ?`);

export async function updateChain(tx: Writer, chain: Chain): Promise<void> {
  const ended = [chain.endedAt ?? null, chain.endReason ?? null];
  const values = [chain.state, chain.step, ...sums(chain), ...ended, chain.id];
  await linkOf(tx).rows(UPDATE, values);
}

function sums({ total, spent, refunded, waiting }: Chain): readonly string[] {
  return [total, spent, refunded, waiting].map(String);
}

const BEGIN = statement('UPDATE chain_steps SET task_id = ? WHERE chain_id = ? AND n = ?');

/** The turn of a step has come: this is its task. */
export async function beginStep(tx: Writer, chainId: string, n: number, taskId: string) {
  await linkOf(tx).rows(BEGIN, [taskId, chainId, n]);
}

const STEP = statement('SELECT * FROM chain_steps WHERE chain_id = ? AND n = ?');
const STEPS = statement('SELECT * FROM chain_steps WHERE chain_id = ? ORDER BY n');

export async function stepOf(db: Reader, chainId: string, n: number): Promise<StepDeal> {
  const row = column.one(await linkOf(db).rows(STEP, [chainId, n]));
  if (row === undefined) throw new Error(`chain ${chainId} has no step ${n}`);
  return dealOf(row);
}

export async function stepsOf(db: Reader, chainId: string): Promise<readonly StoredStep[]> {
  const rows = await linkOf(db).rows(STEPS, [chainId]);
  return rows.map((row) => {
    const taskId = column.textOrNull(row, 'task_id');
    return {
      n: column.whole(row, 'n'),
      deal: dealOf(row),
      ...(taskId !== null && { taskId }),
    };
  });
}

export interface ChainFilter {
  readonly requester?: Account;
  readonly state?: ChainState;
  readonly network?: NetworkId;
  readonly before?: string;
}

/** Newest first: ids sort by time of making, so the id is the cursor. */
export async function listChains(
  db: Reader,
  { before, ...equal }: ChainFilter,
  limit: number,
): Promise<readonly StoredChain[]> {
  let query = db.knex('chains').select<Row[]>('*').where(equal).orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query).map(storedChain);
}

function storedChain(row: Row): StoredChain {
  const state = CHAIN_STATES.find((each) => each === row['state']);
  const network = parseNetworkId(column.text(row, 'network'));
  if (state === undefined || network === undefined) throw new Error('a damaged chain');
  const endedAt = column.timeOrNull(row, 'ended_at');
  const endReason = column.textOrNull(row, 'end_reason');
  return {
    chain: {
      id: column.text(row, 'id'),
      requester: column.account(row, 'requester'),
      title: column.text(row, 'title'),
      network,
      distinctWorkers: column.flag(row, 'distinct_workers'),
      state,
      steps: column.whole(row, 'steps'),
      step: column.whole(row, 'step'),
      total: column.amount(row, 'total'),
      spent: column.amount(row, 'spent'),
      refunded: column.amount(row, 'refunded'),
      waiting: column.amount(row, 'waiting'),
      createdAt: column.time(row, 'created_at'),
      ...(endedAt !== null && { endedAt }),
      ...(endReason !== null && { endReason }),
    },
    holdId: commitmentId(column.text(row, 'hold_id')),
  };
}

const VERIFICATIONS = ['automatic', 'validator', 'requester'] as const;

function dealOf(row: Row): StepDeal {
  const verification = VERIFICATIONS.find((each) => each === row['verification']);
  if (verification === undefined) throw new Error('a damaged step');
  const autoAccept = column.wholeOrNull(row, 'auto_accept_seconds');
  return {
    title: column.text(row, 'title'),
    description: column.text(row, 'description'),
    reward: column.amount(row, 'reward'),
    verification,
    // JSON that `insertChain` wrote from values of these very types.
    ...(row['acceptance'] !== null && {
      acceptance: column.json(row, 'acceptance') as AcceptanceRule,
    }),
    requiredSkills: column.json(row, 'required_skills') as readonly string[],
    windows: {
      ...(autoAccept !== null && { autoAcceptSeconds: seconds(autoAccept) }),
      disputeWindowSeconds: seconds(column.whole(row, 'dispute_window_seconds')),
    },
  };
}
