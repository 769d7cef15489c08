import type { AcceptanceRule } from '../../domain/acceptance/rule.ts';
import type { Account } from '../../domain/account.ts';
import { CHAIN_STATES } from '../../domain/chains/model.ts';
import type { Chain, ChainState, StepDeal } from '../../domain/chains/model.ts';
import { defined } from '../../domain/defined.ts';
import type { Seconds } from '../../domain/instant.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../batch/columns.ts';
import { list } from '../batch/list.ts';
import { shaped, table } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row } from '../connection.ts';
import { need } from '../batch/need.ts';

export interface StoredChain {
  readonly chain: Chain;
  /** The commitment that holds what no step has earned; closed once nothing is left. */
  readonly holdId: CommitmentId;
}

/** A row is locked after the task of its step. */
export const CHAINS = shaped(
  table('chains', {
    id: column.text().key(),
    requester: column.account().fixed(),
    title: column.text().fixed(),
    network: column.network().fixed(),
    distinctWorkers: column.flag().fixed(),
    sameWorker: column.flag().fixed(),
    state: column.oneOf(CHAIN_STATES).guard(),
    steps: column.integer().fixed(),
    step: column.integer().guard(),
    total: column.amount(),
    spent: column.amount().guard(),
    refunded: column.amount().guard(),
    waiting: column.amount(),
    holdId: column.text<CommitmentId>().fixed(),
    createdAt: column.moment().fixed(),
    endedAt: column.moment().optional(),
    endReason: column.text().optional(),
  }),
  {
    of: ({ holdId, ...chain }): StoredChain => ({ chain, holdId }),
    flat: ({ chain, holdId }) => ({ ...chain, holdId }),
  },
);

export interface StoredStep {
  readonly chainId: string;
  readonly n: number;
  readonly deal: StepDeal;
  /** Absent while it waits. */
  readonly taskId?: string;
}

export const CHAIN_STEPS = shaped(
  table(
    'chain_steps',
    {
      chainId: column.text().key(),
      n: column.integer().key(),
      title: column.text().fixed(),
      description: column.text().fixed(),
      reward: column.amount().fixed(),
      verification: column.oneOf(['automatic', 'validator', 'requester']).fixed(),
      acceptance: column.json<AcceptanceRule>().fixed().optional(),
      requiredSkills: column.json<readonly string[]>().fixed(),
      autoAcceptSeconds: column.integer<Seconds>().fixed().optional(),
      disputeWindowSeconds: column.integer<Seconds>().fixed(),
      deadlineSeconds: column.integer<Seconds>().fixed(),
      taskId: column.text().optional(),
    },
    { lock: 'none', parent: ({ chainId }: StoredStep) => need(CHAINS, chainId) },
  ),
  {
    of({ chainId, n, taskId, autoAcceptSeconds, disputeWindowSeconds, ...deal }): StoredStep {
      const windows = { disputeWindowSeconds, ...defined({ autoAcceptSeconds }) };
      return { chainId, n, deal: { ...deal, windows }, ...defined({ taskId }) };
    },
    flat({ deal: { windows, ...deal }, ...step }) {
      return { ...step, ...deal, ...windows };
    },
  },
);

export const STEPS_OF_CHAIN = list('steps_of_chain', CHAIN_STEPS, {
  by: { chainId: column.text() },
  where: (key) => `t.chain_id = ${key.chainId}`,
  order: 't.n',
  parent: (chainId) => need(CHAINS, chainId),
});

const BY_ID = statement('SELECT * FROM chains WHERE id = ?');

export async function readChain(db: Reader, id: string): Promise<StoredChain | undefined> {
  const row = one(await linkOf(db).rows(BY_ID, [id]));
  return row && CHAINS.fromRow(row);
}

const STEPS = statement('SELECT * FROM chain_steps WHERE chain_id = ? ORDER BY n');

export async function stepsOf(db: Reader, chainId: string): Promise<readonly StoredStep[]> {
  return (await linkOf(db).rows(STEPS, [chainId])).map(CHAIN_STEPS.fromRow);
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
  return (await query).map(CHAINS.fromRow);
}
