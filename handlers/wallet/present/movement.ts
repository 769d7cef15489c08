import type { Cursor } from '../../../db/rails/cursors.ts';
import type { IncomingEntry } from '../../../db/rails/entries.ts';
import type { FoundWithdrawal } from '../../../db/rails/withdrawals.ts';
import { plus, seconds } from '../../../domain/instant.ts';
import { ASSET, type NetworkId } from '../../../domain/network.ts';
import { blocksOnTop, FINALITY_ABOVE, type Deposit } from '../../../domain/rails/deposit.ts';
import { checksummed } from '../../../domain/rails/evm.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { BLOCK_SECONDS } from '../../../workflows/rails/rail.ts';
import { expectedAt } from './withdrawal.ts';

type Movement = Schemas['Movement'];

/** Finality of Base takes about twenty minutes (choices rails.deposits). */
const FINALITY_SECONDS = 1_200;

const RAILS: Readonly<Record<IncomingEntry['reason'], Movement['rail']>> = {
  faucet: 'faucet',
  issue: 'issue',
  'x402.topup': 'x402',
};

export function presentEntry(network: NetworkId, entry: IncomingEntry): Movement {
  return {
    id: entry.transferId,
    kind: 'deposit',
    rail: RAILS[entry.reason],
    state: 'credited',
    amount: entry.amount,
    asset: ASSET,
    network,
    ...(entry.memo !== null && { note: entry.memo }),
    transferId: entry.transferId,
    at: entry.at,
    updatedAt: entry.at,
  };
}

export function presentDeposit(hub: Hub, row: Deposit, cursor: Cursor | undefined): Movement {
  const reason = row.missingSince === null ? REASONS[row.state] : MISSING;
  const moved = row.reversalId ?? row.transferId;
  return {
    id: row.id,
    kind: 'deposit',
    rail: 'chain',
    amount: row.amount,
    asset: ASSET,
    network: row.network,
    address: checksummed(row.address),
    txHash: row.txHash,
    ...progress(hub, row, cursor),
    failureReason: reason,
    ...(moved !== null && { transferId: moved }),
    at: row.seenAt,
    updatedAt: row.updatedAt,
  };
}

const MISSING =
  'Its block left the chain after it was credited. It is taken back unless another block has it when that is final.';
const REASONS: Readonly<Partial<Record<Deposit['state'], string>>> = {
  orphaned: 'The chain dropped its block before it was credited; it is credited if it comes back.',
  reversed: 'The chain dropped it after it was credited, so it was taken back.',
};

type Progress = Pick<Movement, 'state' | 'confirmations' | 'confirmationsNeeded' | 'expectedAt'>;

/** Returns the depth of a waiting deposit, the depth that it needs, and when that is expected. */
function progress(hub: Hub, row: Deposit, cursor: Cursor | undefined): Progress {
  const needed = hub.chains.facts(row.network)?.confirmations;
  if (row.state !== 'seen' || cursor === undefined || needed === undefined) {
    return { state: row.state };
  }
  const confirmations = blocksOnTop(row, cursor.height);
  const left = Math.max(0, needed - confirmations) * BLOCK_SECONDS;
  const expected =
    row.amount > FINALITY_ABOVE
      ? plus(row.seenAt, seconds(FINALITY_SECONDS))
      : plus(cursor.answeredAt, seconds(left));
  return {
    state: confirmations === 0 ? 'seen' : 'confirming',
    confirmations,
    confirmationsNeeded: needed,
    expectedAt: expected,
  };
}

export function presentOutgoing(
  hub: Hub,
  row: FoundWithdrawal,
  cursor: Cursor | undefined,
): Movement {
  const needed = hub.chains.facts(row.network)?.confirmations;
  const mined = row.state === 'pending' ? (row.carried?.minedBlock ?? null) : null;
  const expected = expectedAt(hub, row);
  return {
    id: row.id,
    kind: 'withdrawal',
    rail: row.network === 'sandbox' ? 'simulated' : 'chain',
    state: row.state,
    amount: row.amount,
    fee: row.fee,
    asset: ASSET,
    network: row.network,
    address: checksummed(row.address),
    ...(row.txHash !== null && { txHash: row.txHash }),
    ...(mined !== null &&
      needed !== undefined && {
        confirmations: blocksOnTop({ height: mined }, cursor?.head ?? mined),
        confirmationsNeeded: needed,
      }),
    expectedAt: expected,
    ...(row.failureReason !== null && { failureReason: row.failureReason }),
    ...(row.transferId !== null && { transferId: row.transferId }),
    at: row.requestedAt,
    updatedAt: row.updatedAt,
  };
}
