import type { Account } from '../../domain/account.ts';
import { CHAIN_STATES } from '../../domain/chains/model.ts';
import type { Chain, ChainState } from '../../domain/chains/model.ts';
import type { CommitmentId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import { STAYS } from '../batch/personal.ts';
import * as column from '../batch/columns.ts';
import { shaped, table } from '../batch/table.ts';
import { one } from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader, Row } from '../connection.ts';
import { COMMITMENTS } from '../ledger/ledgerTables.ts';

export interface StoredChain {
  readonly chain: Chain;
  /** The commitment that holds what no step has earned; closed once nothing is left. */
  readonly holdId: CommitmentId;
}

/** A row is locked after the task of its step. */
export const CHAINS = shaped(
  table(
    'chains',
    {
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
    },
    { personal: { owner: 'requester', stays: STAYS.paid }, after: [COMMITMENTS] },
  ),
  {
    of: ({ holdId, ...chain }): StoredChain => ({ chain, holdId }),
    flat: ({ chain, holdId }) => ({ ...chain, holdId }),
  },
);

const BY_ID = statement('SELECT * FROM chains WHERE id = ?');

export async function readChain(db: Reader, id: string): Promise<StoredChain | undefined> {
  const row = one(await linkOf(db).rows(BY_ID, [id]));
  return row && CHAINS.fromRow(row);
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
