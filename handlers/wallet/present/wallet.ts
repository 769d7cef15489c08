import { balance } from '../../../db/ledger/balances.ts';
import { depositsInFlight } from '../../../db/rails/deposits.ts';
import type { Reader } from '../../../db/store.ts';
import { openHolds, type OpenHolds } from '../../../db/wallet/holds.ts';
import { payoutsInFlight } from '../../../db/wallet/inFlight.ts';
import { totalsByReason, type TotalsOfReason } from '../../../db/wallet/totals.ts';
import type { Account } from '../../../domain/account.ts';
import { instant, type Instant } from '../../../domain/instant.ts';
import { type NetworkId, ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../server/hub/answered.ts';
import type { Hub } from '../../../server/hub/hub.ts';
import { readDepositAddress, readWithdrawalTerms } from './rails.ts';

const DAY_MS = 86_400_000;
const SUMMARY_DAYS = 30;

/** An account on one network, read in one snapshot; one that was never used reads as zeros. */
export async function walletOf(
  hub: Hub,
  db: Reader,
  owner: Account,
  network: NetworkId,
  now: Instant,
): Promise<Schemas['Wallet']> {
  const place = { network, asset: ASSET };
  const has = await balance(db, owner, place);
  const open = await openHolds(db, owner, place);
  const withdrawals = [...open.older, ...open.listed].filter(({ kind }) => kind === 'withdrawal');
  return {
    owner,
    ...place,
    balance: has.posted,
    held: { total: has.held, by: presentHolds(open) },
    spendable: has.spendable,
    inFlight: {
      payouts: await payoutsInFlight(db, owner, place),
      deposits: await depositsInFlight(db, owner, network),
      withdrawals: withdrawals.reduce((sum, { amount }) => sum + amount, 0n),
    },
    depositAddress: await readDepositAddress(hub, db, owner, network),
    withdrawalTerms: await readWithdrawalTerms(hub, db, owner, network),
    summary30d: (await totalsByReason(db, owner, place, daysBefore(now, SUMMARY_DAYS))).map(
      presentTotals,
    ),
  };
}

export function daysBefore(now: Instant, days: number): Instant {
  return instant(now - days * DAY_MS);
}

export function presentTotals(line: TotalsOfReason): Schemas['SummaryLine'] {
  return {
    reason: line.reason,
    in: line.in,
    out: line.out,
    held: line.held,
    released: line.released,
    count: line.count,
  };
}

function presentHolds({ listed, older }: OpenHolds): Schemas['HeldBalance']['by'] {
  const folded = older.map(({ kind, count, amount, since }) => ({
    kind,
    ref: { kind: 'holds', id: `${count} older` },
    amount,
    since,
  }));
  const shown = listed.map(({ kind, ref, amount, since, expiresAt }) => ({
    kind,
    ref,
    amount,
    since,
    expiresAt,
  }));
  return [...folded, ...shown];
}
