import { viewIn } from '../../db/batch/look.ts';
import { need } from '../../db/batch/need.ts';
import { balance } from '../../db/ledger/balances.ts';
import { lockDeposit, UNSETTLED_DEPOSITS, updateDeposit } from '../../db/rails/deposits.ts';
import { unsentWithdrawals, unsentWithdrawn } from '../../db/rails/withdrawals.ts';
import type { Reader, Writer } from '../../db/store.ts';
import { houseAccount, type Account } from '../../domain/account.ts';
import type { Step } from '../../domain/ledger/transfer.ts';
import { ZERO, type Atomic } from '../../domain/money.ts';
import { ASSET, type NetworkId } from '../../domain/network.ts';
import { reversalOf, waitsForDeposits, type Deposit } from '../../domain/rails/deposit.ts';
import type { Hub } from '../kernel/hub.ts';
import { mustTransfer } from '../wallet/transfer.ts';
import { failUnsent } from './endWithdrawal.ts';

/** Reverses a credited deposit that is missing from the chain (choices rails.deposits). */
const CHAIN = houseAccount('external:chain:base');
const RESERVE = houseAccount('hub:adjust');
const RETURNED_MAX = 1_000;

/** Whether this much of an account must not leave now, because it may be a missing deposit. */
export async function mustStay(
  db: Reader,
  { account, network }: { readonly account: Account; readonly network: NetworkId },
  amount: Atomic,
): Promise<boolean> {
  const key = { account, network };
  const missing = await viewIn(db, {
    needs: [need(UNSETTLED_DEPOSITS, key)],
    decide: (view) => view.find(UNSETTLED_DEPOSITS, key)?.missing ?? ZERO,
  });
  if (missing === 0n) return false;
  const { spendable } = await balance(db, account, { network, asset: ASSET });
  const unsent = await unsentWithdrawn(db, account, network);
  return waitsForDeposits(amount, { missing, spendable, unsent });
}

/**
 * Takes back what the account can spend, once its unsigned withdrawals are returned; the hub's
 * reserve pays what it can of the rest.
 */
export async function reverse(hub: Hub, tx: Writer, id: string): Promise<void> {
  const row = await lockDeposit(tx, id);
  if (row.state !== 'credited' || row.final) return;
  const { network, account, amount } = row;
  const place = { network, asset: ASSET };
  await returnUnsent(hub, tx, row);
  const { spendable } = await balance(tx, account, place);
  const reserve = await balance(tx, RESERVE, place);
  const parts = reversalOf(amount, spendable, reserve.spendable);
  const steps: readonly Step[] = [
    { verb: 'move', from: account, to: CHAIN, amount: parts.account, reason: 'deposit.reversed' },
    { verb: 'move', from: RESERVE, to: CHAIN, amount: parts.reserve, reason: 'deposit.reversed' },
  ];
  const moves = steps.filter((step) => step.verb === 'move' && step.amount > 0n);
  const ref = { kind: 'deposit', id };
  const reversalId =
    moves.length === 0
      ? null
      : await mustTransfer(tx, hub, {
          network,
          event: 'deposit.reversed',
          ref,
          actor: 'hub',
          steps: moves,
        });
  const { shortfall } = parts;
  const updatedAt = hub.clock.now();
  const end = { state: 'reversed', final: true, missingSince: null } as const;
  await updateDeposit(tx, { ...row, ...end, reversalId, shortfall, updatedAt });
  hub.log.error({ deposit: id, account, shortfall: `${shortfall}` }, 'a credited deposit vanished');
}

/** Ends withdrawals that are not signed, newest first, until the deposit can be taken back whole. */
async function returnUnsent(
  hub: Hub,
  tx: Writer,
  { account, network, amount }: Deposit,
): Promise<void> {
  for (const id of await unsentWithdrawals(tx, account, network, RETURNED_MAX)) {
    const { spendable } = await balance(tx, account, { network, asset: ASSET });
    if (spendable >= amount) return;
    await failUnsent(hub, tx, id, 'A deposit of this account left the chain for good.');
  }
}
