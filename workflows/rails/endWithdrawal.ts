import { readTransaction } from '../../db/rails/transactions.ts';
import {
  carriedToTheEnd,
  lockWithdrawal,
  simulatedUntil,
  updateWithdrawal,
  type FoundWithdrawal,
} from '../../db/rails/withdrawals.ts';
import type { Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import { instant } from '../../domain/instant.ts';
import type { Step, TransferId } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { ChainHash } from '../../domain/rails/evm.ts';
import {
  arrives,
  SIMULATED_FAILURE,
  SIMULATED_SECONDS,
  type FailureProof,
  type Withdrawal,
} from '../../domain/rails/withdrawal.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustTransfer } from '../wallet/transfer.ts';
import { dropCall } from './outbox.ts';

/** How a pending withdrawal ends: each end moves its money once, with the row that says so. */
const GAS = houseAccount('hub:gas');
const BATCH_MAX = 100;

const OUTSIDE: Readonly<Partial<Record<NetworkId, Account>>> = {
  sandbox: houseAccount('external:rail:sandbox'),
  base: houseAccount('external:chain:base'),
};

export async function recallWithdrawal(hub: Hub, tx: Writer, row: Withdrawal): Promise<Withdrawal> {
  const transferId = await giveBack(hub, tx, row, 'wallet.recall', row.account);
  return save(hub, tx, { ...row, state: 'recalled', transferId, waitsForOperator: false });
}

/** Ends what the chain has ended, and what the simulated rail has carried long enough. */
export async function endWithdrawals(hub: Hub): Promise<void> {
  for (const id of await hub.store.readOne((db) => carriedToTheEnd(db, BATCH_MAX))) {
    await hub.store.write((tx) => endCarried(hub, tx, id));
  }
  const until = instant(hub.clock.now() - SIMULATED_SECONDS * 1000);
  for (const id of await hub.store.read((db) => simulatedUntil(db, until, BATCH_MAX))) {
    await hub.store.write((tx) => endSimulated(hub, tx, id));
  }
}

async function endCarried(hub: Hub, tx: Writer, id: string): Promise<void> {
  const row = await pendingRow(tx, id);
  if (row === undefined || row.transactionId === null) return;
  const carried = await readTransaction(tx, row.transactionId);
  if (carried?.state === 'confirmed') return confirm(hub, tx, row, carried.minedHash);
  const proof = carried && PROOFS[carried.state];
  if (proof !== undefined) await fail(hub, tx, row, proof, carried?.note ?? 'It was never signed.');
}

/** Gives back one that waits to be signed; what is signed by now goes its way. */
export async function failUnsent(hub: Hub, tx: Writer, id: string, reason: string): Promise<void> {
  const row = await pendingRow(tx, id);
  if (row === undefined) return;
  const { transactionId } = row;
  if (transactionId !== null && !(await dropCall(tx, hub, transactionId, reason))) return;
  await fail(hub, tx, row, 'never-signed', reason);
}

const PROOFS: Readonly<Record<string, FailureProof>> = {
  dropped: 'never-signed',
  reverted: 'reverted',
  replaced: 'nonce-spent',
};

async function endSimulated(hub: Hub, tx: Writer, id: string): Promise<void> {
  const row = await pendingRow(tx, id);
  if (row === undefined) return;
  if (row.address !== SIMULATED_FAILURE) return confirm(hub, tx, row, null);
  const reason = 'The simulated rail refuses this address, so that a failure can be rehearsed.';
  await fail(hub, tx, row, 'reverted', reason);
}

async function pendingRow(tx: Writer, id: string): Promise<FoundWithdrawal | undefined> {
  const row = await lockWithdrawal(tx, id);
  return row?.state === 'pending' ? row : undefined;
}

async function confirm(
  hub: Hub,
  tx: Writer,
  row: Withdrawal,
  txHash: ChainHash | null,
): Promise<void> {
  const outside = OUTSIDE[row.network];
  if (outside === undefined) throw new Error(`${row.network} has no outside`);
  const steps: readonly Step[] = [
    {
      verb: 'capture',
      commitment: row.commitment,
      reason: 'withdraw',
      to: [
        { account: outside, amount: arrives(row), reason: 'withdraw' },
        { account: GAS, amount: row.fee, reason: 'withdraw.fee' },
      ],
    },
  ];
  const transferId = await move(hub, tx, row, { event: 'withdrawal.confirmed', steps });
  await save(hub, tx, { ...row, state: 'confirmed', txHash, transferId });
}

async function fail(
  hub: Hub,
  tx: Writer,
  row: Withdrawal,
  failureProof: FailureProof,
  failureReason: string,
): Promise<void> {
  const transferId = await giveBack(hub, tx, row, 'withdrawal.failed', 'hub');
  await save(hub, tx, { ...row, state: 'failed', failureProof, failureReason, transferId });
}

function giveBack(
  hub: Hub,
  tx: Writer,
  row: Withdrawal,
  event: string,
  actor: Account | 'hub',
): Promise<TransferId> {
  const { commitment } = row;
  const steps: readonly Step[] = [{ verb: 'release', commitment, reason: 'withdraw' }];
  return move(hub, tx, row, { event, steps, actor });
}

function move(
  hub: Hub,
  tx: Writer,
  { id, network }: Withdrawal,
  {
    event,
    steps,
    actor = 'hub',
  }: { event: string; steps: readonly Step[]; actor?: Account | 'hub' },
): Promise<TransferId> {
  return mustTransfer(tx, hub, { network, event, actor, ref: { kind: 'withdrawal', id }, steps });
}

async function save(hub: Hub, tx: Writer, row: Withdrawal): Promise<Withdrawal> {
  const saved = { ...row, updatedAt: hub.clock.now() };
  await updateWithdrawal(tx, saved);
  return saved;
}
