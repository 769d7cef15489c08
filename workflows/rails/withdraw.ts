import { hadReversal } from '../../db/rails/deposits.ts';
import {
  insertWithdrawal,
  withdrawnSince,
  type FoundWithdrawal,
} from '../../db/rails/withdrawals.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { commitmentId } from '../../domain/ledger/transfer.ts';
import type { Atomic } from '../../domain/money.ts';
import { atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import { transferCall, type EvmAddress } from '../../domain/rails/evm.ts';
import { arrives, needsOperator, type Withdrawal } from '../../domain/rails/withdrawal.ts';
import { utcDay } from '../../domain/walletFaucet.ts';
import type { Hub } from '../kernel/hub.ts';
import { refuseFunds } from '../wallet/funds.ts';
import { transfer } from '../wallet/transfer.ts';
import { enqueueCall } from './outbox.ts';
import { mustBePaidOutTo } from './payoutAddress.ts';

export interface WithdrawalRequest {
  readonly network: NetworkId;
  readonly account: Account;
  readonly address: EvmAddress;
  readonly amount: Atomic;
  readonly fee: Atomic;
}

/** How often the token contract may refuse a withdrawal before it is given up: about an hour. */
const TRIES_MAX = 8;

/**
 * Holds the amount and queues the withdrawal in one unit. It waits for an operator, without a
 * nonce, above the automatic limits or if a credited deposit of the account vanished.
 */
export async function beginWithdrawal(
  hub: Hub,
  tx: Writer,
  request: WithdrawalRequest,
): Promise<FoundWithdrawal> {
  const { network, account, amount } = request;
  await mustBePaidOutTo(hub, tx, request);
  const now = hub.clock.now();
  const id = hub.ids.uuid();
  const commitment = commitmentId(hub.ids.uuid());
  const ref = { kind: 'withdrawal', id };
  const posted = await transfer(tx, hub, {
    network,
    event: 'wallet.withdraw',
    actor: account,
    ref,
    at: now,
    steps: [{ verb: 'hold', commitment, account, kind: 'withdrawal', amount, reason: 'withdraw' }],
  });
  if ('refused' in posted) return refuseFunds(hub, posted, { network, field: 'body.amount' });
  // Asked after posting: the account's row is locked then, so of two at once one counts the other.
  const before = await withdrawnSince(tx, request, utcDay(now));
  const isReal = hub.chains.settings(network) !== undefined;
  const waitsForOperator =
    isReal &&
    (needsOperator(amount, atomic(before + amount)) || (await hadReversal(tx, account, network)));
  const row: Withdrawal = {
    ...request,
    id,
    state: 'pending',
    waitsForOperator,
    commitment,
    transactionId: null,
    transferId: null,
    txHash: null,
    failureProof: null,
    failureReason: null,
    requestedAt: now,
    updatedAt: now,
  };
  const transactionId = isReal && !waitsForOperator ? await carry(hub, tx, row) : null;
  await insertWithdrawal(tx, { ...row, transactionId });
  const carried = { state: 'queued', minedBlock: null, note: null } as const;
  return { ...row, transactionId, carried: transactionId === null ? undefined : carried };
}

export async function carry(
  hub: Pick<Hub, 'clock' | 'ids' | 'chains'>,
  tx: Writer,
  row: Withdrawal,
): Promise<string> {
  const facts = hub.chains.facts(row.network);
  if (facts === undefined) throw new Error(`${row.network} has no chain`);
  return enqueueCall(tx, hub, {
    network: row.network,
    purpose: 'withdrawal',
    refId: row.id,
    to: facts.token,
    data: transferCall(row.address, arrives(row)),
    needs: arrives(row),
    triesMax: TRIES_MAX,
  });
}
