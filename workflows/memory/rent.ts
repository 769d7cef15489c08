import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { MEMORY_ACCOUNTS, RENTS } from '../../db/memory/memoryTables.ts';
import { rentDueOf } from '../../db/memory/storage.ts';
import type { Account } from '../../domain/account.ts';
import { rentPerDay } from '../../domain/memory/limits.ts';
import { dayName, rentDay, rentDue } from '../../domain/memory/rent.ts';
import { nothingStored, storedBytes, type Storage } from '../../domain/memory/storage.ts';
import { refuse } from '../kernel/errors.ts';
import { apart } from '../kernel/apart.ts';
import type { Hub } from '../kernel/hub.ts';
import { tryCharge } from '../metering/charge.ts';

/**
 * Storage rent (choices memory.rent). An account's row is locked before its day is charged, and a
 * charged day is a row of its own, so several processes charge a day once.
 */
const ACCOUNTS_AT_ONCE = 200;

export async function chargeRents(hub: Hub): Promise<void> {
  const today = rentDay(hub.clock.now());
  for (;;) {
    const due = await hub.store.readOne((db) => rentDueOf(db, today, ACCOUNTS_AT_ONCE));
    const failed = await chargeEach(hub, due, today);
    // An account that failed comes first again; the next run of the job tries it once more.
    if (due.length < ACCOUNTS_AT_ONCE || failed > 0) return;
  }
}

async function chargeEach(hub: Hub, due: readonly Account[], today: number): Promise<number> {
  let failed = 0;
  for (const account of due) {
    const charge = (): Promise<void> =>
      hub.store.decide({
        name: 'memory.rent',
        needs: [need(MEMORY_ACCOUNTS, account)],
        decide: (db) => settleRent(db, hub, account, today),
      });
    if (!(await apart(hub, { failure: 'rent failed', account }, charge))) failed += 1;
  }
  return failed;
}

function settleRent(db: Decider, hub: Hub, account: Account, today: number): void {
  const storage = db.find(MEMORY_ACCOUNTS, account);
  if (storage === undefined || storedBytes(storage) === 0) return;
  const [now, ...missed] = rentDue(storage, today);
  if (now === undefined) return;
  const settled = { ...storage, settledDay: today };
  if (!payDay(db, hub, storage, now)) {
    db.put(MEMORY_ACCOUNTS, account, { ...settled, readOnly: true });
    return;
  }
  db.put(MEMORY_ACCOUNTS, account, { ...settled, paidDay: now, readOnly: false });
  // A day that the hub missed and that cannot be paid now is let go: the outage was the hub's.
  for (const day of missed) if (!payDay(db, hub, storage, day)) return;
}

/** Charges one rent day by what is stored now; false when the account cannot pay it. */
function payDay(db: Decider, hub: Hub, storage: Storage, day: number): boolean {
  const { account, paidDay } = storage;
  // A clock that was set back meets days that are paid.
  if (paidDay !== undefined && paidDay >= day) return true;
  const bytes = storedBytes(storage);
  const amount = rentPerDay(bytes);
  const ref = { kind: 'rent', id: `rent:${account}:${dayName(day)}` };
  const { network } = hub.settings;
  const taken = tryCharge(db, hub, { account, network, amount, reason: 'memory.rent', ref });
  if ('refused' in taken) return false;
  const rent = { account, day, bytes, amount, transferId: taken.transferId };
  db.insert(RENTS, rent, rent);
  return true;
}

/**
 * Returns the storage of an account that is about to write. One that is read-only pays a day, which
 * lifts the state, or the write is refused; the payment stays when there was nothing to write.
 */
export function writable(db: Decider, hub: Hub, account: Account, today: number): Storage {
  const storage = db.find(MEMORY_ACCOUNTS, account) ?? nothingStored(account, today);
  if (!storage.readOnly) return storage;
  if (!payDay(db, hub, storage, today)) {
    refuse('memory-read-only', {
      error: `Rent of ${rentPerDay(storedBytes(storage))} atomic units for a day could not be paid; your storage is read-only and everything in it is kept.`,
    });
  }
  const { settledDay, paidDay = today } = storage;
  const lifted = {
    ...storage,
    readOnly: false,
    settledDay: Math.max(settledDay, today),
    paidDay: Math.max(paidDay, today),
  };
  db.put(MEMORY_ACCOUNTS, account, lifted);
  return lifted;
}
