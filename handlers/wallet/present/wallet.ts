import { strict as assert } from 'node:assert';
import { need } from '../../../db/batch/need.ts';
import type { View } from '../../../db/batch/transaction.ts';
import { BALANCES } from '../../../db/ledger/balances.ts';
import { UNSETTLED_DEPOSITS } from '../../../db/rails/deposits.ts';
import { OPEN_HOLDS, openHolds, type OpenHolds } from '../../../db/wallet/holds.ts';
import { ACCEPTED_WORK, payoutsInFlight } from '../../../db/wallet/inFlight.ts';
import { TOTALS, totalsByReason, type TotalsOfReason } from '../../../db/wallet/totals.ts';
import type { Account } from '../../../domain/account.ts';
import { instant, type Instant } from '../../../domain/instant.ts';
import { ZERO } from '../../../domain/money.ts';
import { type NetworkId, ASSET } from '../../../domain/network.ts';
import type { Schemas } from '../../../workflows/kernel/answered.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import { readDepositAddress, readsOfRails, readWithdrawalTerms } from './rails.ts';

const DAY_MS = 86_400_000;
const SUMMARY_DAYS = 30;

/** An account on one network, read in one snapshot; one that was never used reads as zeros. */
export function walletOf(
  hub: Hub,
  owner: Account,
  network: NetworkId,
  now: Instant,
): View<Schemas['Wallet']> {
  const place = { network, asset: ASSET };
  const of = { account: owner, ...place };
  const since = daysBefore(now, SUMMARY_DAYS);
  return {
    needs: [
      need(BALANCES, of),
      need(OPEN_HOLDS, of),
      need(ACCEPTED_WORK, { payee: owner, network }),
      need(TOTALS, { ...of, since }),
      ...readsOfRails(owner, network),
    ],
    decide(db) {
      const has = db.find(BALANCES, of);
      assert(has !== undefined, 'a sum has a row');
      const open = openHolds(db, of);
      const withdrawals = [...open.older, ...open.listed].filter(isWithdrawal);
      return {
        owner,
        ...place,
        balance: has.posted,
        held: { total: has.held, by: presentHolds(open) },
        spendable: has.posted - has.held,
        inFlight: {
          payouts: payoutsInFlight(db, of),
          deposits: db.find(UNSETTLED_DEPOSITS, of)?.seen ?? ZERO,
          withdrawals: withdrawals.reduce((sum, { amount }) => sum + amount, 0n),
        },
        depositAddress: readDepositAddress(hub, db, owner, network),
        withdrawalTerms: readWithdrawalTerms(hub, db, owner, network),
        summary30d: totalsByReason(db, { ...of, since }).map(presentTotals),
      };
    },
  };
}

function isWithdrawal({ kind }: { readonly kind: string }): boolean {
  return kind === 'withdrawal';
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
