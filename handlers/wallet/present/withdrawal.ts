import type { FoundWithdrawal } from '../../../db/rails/withdrawals.ts';
import { iso, plus, seconds } from '../../../domain/instant.ts';
import { ASSET } from '../../../domain/network.ts';
import { checksummed } from '../../../domain/rails/evm.ts';
import { arrives, SIMULATED_SECONDS, stageOf } from '../../../domain/rails/withdrawal.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { BLOCK_SECONDS } from '../../../workflows/rails/rail.ts';

type Wire = Omit<Schemas['Withdrawal'], 'repeated'>;

export function presentWithdrawal(hub: Hub, row: FoundWithdrawal): Wire {
  const stage = stageOf(row, row.carried, hub.clock.now());
  const expected = expectedAt(hub, row);
  const { failureProof, failureReason } = row;
  return {
    id: row.id,
    owner: row.account,
    address: checksummed(row.address),
    amount: row.amount,
    fee: row.fee,
    arrives: arrives(row),
    asset: ASSET,
    network: row.network,
    state: row.state,
    stage,
    recallable: stage === 'queued',
    ...(row.waitsForOperator && { waitsForOperator: true }),
    ...(row.txHash !== null && { txHash: row.txHash }),
    expectedAt: expected,
    ...(failureReason !== null && { failureReason }),
    ...(failureProof !== null && { failureProof }),
    requestedAt: row.requestedAt,
    updatedAt: row.updatedAt,
    next: nextOf(row, stage === 'queued'),
  };
}

/** Undefined once it ended, and while the time is unknown. */
export function expectedAt(hub: Hub, row: FoundWithdrawal): string | undefined {
  if (row.state !== 'pending' || row.waitsForOperator) return undefined;
  if (row.network === 'sandbox') return iso(plus(row.requestedAt, SIMULATED_SECONDS));
  const blocks = hub.chains.facts(row.network)?.confirmations ?? 0;
  return iso(plus(row.requestedAt, seconds((blocks + 2) * BLOCK_SECONDS)));
}

function nextOf({ id, account }: FoundWithdrawal, recallable: boolean): Wire['next'] {
  if (!recallable) return [];
  const path = `/api/v1/wallet/${account}/withdrawals/${id}/cancel`;
  return [{ action: 'wallet.recall', who: account, call: { method: 'POST', path, body: {} } }];
}
