import type { Account } from '../account.ts';
import { cashOut, disqualify, plan } from './between.ts';
import type { Session } from './session.ts';
import { seated, type SeatedPlayer } from './table.ts';

/** The group of each account that sits at a table; linked accounts have the same one. */
export type Groups = ReadonlyMap<Account, string>;

/** Removes accounts linked to an earlier one of the table (choices poker.tables); true if any. */
export function removeLinked(session: Session, groups: Groups): boolean {
  const { table } = session;
  const playing = seated(table).filter(({ place }) => place === undefined);
  const late = [...playing]
    .sort((a, b) => a.joinedAt - b.joinedAt)
    .filter(({ account }, at, all) => isTaken(groups, account, all.slice(0, at)));
  if (late.length === 0) return false;
  if (table.format === 'sng' && table.startedAt !== undefined) {
    disqualify(session, late);
    return true;
  }
  if (table.format === 'sng') {
    const { dealAt: _due, buyIn: stack = 0n, ...rest } = table;
    session.table = { ...rest, buyIn: stack };
    for (const player of late) cashOut(session, { ...player, stack });
    return true;
  }
  for (const player of late) cashOut(session, player);
  plan(session);
  return true;
}

function isTaken(groups: Groups, account: Account, earlier: readonly SeatedPlayer[]): boolean {
  const group = groups.get(account);
  return group !== undefined && earlier.some((other) => groups.get(other.account) === group);
}
