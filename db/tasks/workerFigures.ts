import type { Account } from '../../domain/account.ts';
import type { NetworkId } from '../../domain/network.ts';
import type { RecentEnd } from '../../domain/tasks/figures.ts';
import { account, amount, integer, json, moment, network, text } from '../batch/columns.ts';
import { table, type RowIn } from '../batch/table.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import * as column from '../columns.ts';
import { TASKS } from './taskRow.ts';

/** Figures of workers by label and network, written with the end of each attempt. */
export const WORKER_FIGURES = table(
  'worker_figures',
  {
    worker: account().key(),
    network: network().key(),
    label: text().key(),
    changes: integer().guard(),
    paid: integer(),
    rejected: integer(),
    lapsed: integer(),
    earned: amount(),
    lastPaidAt: moment().optional(),
    recent: json<readonly RecentEnd[]>(),
  },
  {
    personal: { owner: 'worker', order: ['network', 'label'] },
    under: [TASKS],
  },
);
export type FiguresRow = RowIn<typeof WORKER_FIGURES>;

/** Workers that a search chooses from: those that earned most under the label. */
export const CHOSEN_FROM_MAX = 500;

const EARNED_MOST = statement(`
  SELECT * FROM worker_figures WHERE network = ? AND label = ? AND paid > 0
   ORDER BY earned DESC, worker LIMIT ?`);

export async function workersOf(
  db: Reader,
  of: { readonly network: NetworkId; readonly label: string; readonly limit: number },
): Promise<readonly FiguresRow[]> {
  const rows = await linkOf(db).rows(EARNED_MOST, [of.network, of.label, of.limit]);
  return rows.map(WORKER_FIGURES.fromRow);
}

/** The present state of an account: how many claims it has, and its karma. */
export interface AtWork {
  readonly liveClaims: number;
  readonly karma: number;
}

const AT_WORK = inListStatement(
  (accounts) => `
  SELECT k.account, (SELECT count(*) FROM attempts a
      WHERE a.worker = k.account AND a.state = 'claimed') AS live,
    coalesce((SELECT total FROM karma_totals WHERE subject = k.account), 0) AS karma
    FROM keys k WHERE k.account ${accounts} GROUP BY k.account`,
);

export async function atWork(
  db: Reader,
  accounts: readonly Account[],
): Promise<ReadonlyMap<Account, AtWork>> {
  const rows = await linkOf(db).rows(AT_WORK, [accounts]);
  return new Map(
    rows.map((row) => [
      column.account(row, 'account'),
      { liveClaims: column.whole(row, 'live'), karma: column.whole(row, 'karma') },
    ]),
  );
}
