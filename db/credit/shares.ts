import { LENDING_WINDOW, UNPAID_WINDOW, type Lent } from '../../domain/lending.ts';
import { instant, type Instant } from '../../domain/instant.ts';
import type { Atomic } from '../../domain/money.ts';
import type { NetworkId } from '../../domain/network.ts';
import * as column from '../columns.ts';
import { linkOf, statement } from '../connection.ts';
import type { Reader } from '../connection.ts';

/** Sums of unpaid principal that bound what is lent next (choices credit.shares). */
const TRUST = 'CASE WHEN on_trust < principal_left THEN on_trust ELSE principal_left END';
const sum = (what: string, name: string): string =>
  `CAST(coalesce(sum(${what}), 0) AS TEXT) AS ${name}`;
/** The window, and of the site also what is overdue of a day. */
const SHARES = statement(`
  SELECT ${sum('CASE WHEN taken_at > ? THEN principal_left ELSE 0 END', 'in_window')},
    ${sum(`CASE WHEN taken_at > ? THEN ${TRUST} ELSE 0 END`, 'on_trust')},
    ${sum(
      `CASE WHEN site = ? AND (taken_at > ? OR state <> 'open') THEN ${TRUST} ELSE 0 END`,
      'by_site',
    )}
  FROM loans WHERE network = ? AND state <> 'repaid' AND taken_at > ?`);

export async function readShares(
  db: Reader,
  { network, site }: { readonly network: NetworkId; readonly site: string },
  now: Instant,
): Promise<Omit<Lent, 'has'>> {
  const window = instant(now - LENDING_WINDOW * 1000);
  const day = instant(now - UNPAID_WINDOW * 1000);
  const values = [window, window, site, window, network, day];
  const row = column.one(await linkOf(db).rows(SHARES, values));
  if (row === undefined) throw new Error('a sum has a row');
  return {
    inWindow: column.amount(row, 'in_window'),
    onTrust: column.amount(row, 'on_trust'),
    bySite: column.amount(row, 'by_site'),
  };
}

const ON_TASK = statement(`
  SELECT ${sum('principal_left', 'unpaid')} FROM loans WHERE task_id = ? AND state <> 'repaid'`);

/** Returns the principal that claims of a task took and that is not repaid. */
export async function unpaidOnTask(db: Reader, taskId: string): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(ON_TASK, [taskId]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'unpaid');
}

const STANDING = statement(`
  SELECT ${sum('principal_left', 'lent')} FROM loans
   WHERE network = ? AND state IN ('open', 'due')`);

/** Principal on a network that is lent and not lost. */
export async function standingOn(db: Reader, network: NetworkId): Promise<Atomic> {
  const row = column.one(await linkOf(db).rows(STANDING, [network]));
  if (row === undefined) throw new Error('a sum has a row');
  return column.amount(row, 'lent');
}
