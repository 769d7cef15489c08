import { insertRent, lockStorage, rentDueOf, saveStorage } from '../../db/memory/storage.ts';
import { decideIn } from '../../db/batch/inside.ts';
import type { Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { rentPerDay } from '../../domain/memory/limits.ts';
import { dayName, rentDay, rentDue } from '../../domain/memory/rent.ts';
import { storedBytes, type Storage } from '../../domain/memory/storage.ts';
import { refuse } from '../../server/hub/errors.ts';
import { apart } from '../../server/hub/apart.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { tryCharge } from '../metering/charge.ts';

/**
 * Storage rent (choices memory.rent). An account's row is locked before its day is charged, and a
 * charged day is a row of its own, so several processes charge a day once.
 */
const ACCOUNTS_AT_ONCE = 200;

/** Settles the rent day of every account that owes it. */
export async function chargeRents(hub: Hub): Promise<void> {
  const today = rentDay(hub.clock.now());
  for (;;) {
    const due = await hub.store.read((db) => rentDueOf(db, today, ACCOUNTS_AT_ONCE));
    const failed = await chargeEach(hub, due, today);
    // What failed comes first again; the next run of the job tries it once more.
    if (due.length < ACCOUNTS_AT_ONCE || failed > 0) return;
  }
}

async function chargeEach(hub: Hub, due: readonly Account[], today: number): Promise<number> {
  let failed = 0;
  for (const account of due) {
    const charge = (): Promise<void> =>
      hub.store.write((tx) => settleRent(tx, hub, account, today));
    if (!(await apart(hub, { failure: 'rent failed', account }, charge))) failed += 1;
  }
  return failed;
}

async function settleRent(tx: Writer, hub: Hub, account: Account, today: number): Promise<void> {
  const storage = (await lockStorage(tx, [account], today)).get(account);
  if (storage === undefined || storedBytes(storage) === 0) return;
  const [now, ...missed] = rentDue(storage, today);
  if (now === undefined) return;
  const settled = { ...storage, settledDay: today };
  if (!(await payDay(tx, hub, storage, now))) {
    await saveStorage(tx, { ...settled, readOnly: true });
    return;
  }
  await saveStorage(tx, { ...settled, paidDay: now, readOnly: false });
  // A day that the hub missed and that cannot be paid now is let go: the outage was the hub's.
  for (const day of missed) if (!(await payDay(tx, hub, storage, day))) return;
}

/** Charges one rent day by what is stored now; false when the account cannot pay it. */
async function payDay(tx: Writer, hub: Hub, storage: Storage, day: number): Promise<boolean> {
  const { account, paidDay } = storage;
  // A clock that was set back meets days that are paid.
  if (paidDay !== undefined && paidDay >= day) return true;
  const bytes = storedBytes(storage);
  const amount = rentPerDay(bytes);
  const ref = { kind: 'rent', id: `rent:${account}:${dayName(day)}` };
  const { network } = hub.settings;
  const charged = { account, network, amount, reason: 'memory.rent', ref } as const;
  const taken = await decideIn(tx, { needs: [], decide: (db) => tryCharge(db, hub, charged) });
  if ('refused' in taken) return false;
  await insertRent(tx, { account, day, bytes, amount, transferId: taken.transferId });
  return true;
}

/**
 * An account that is about to write, writable: one that is read-only pays one day, which lifts the
 * state, or the write is refused. The caller saves what it answers.
 */
export async function writable(tx: Writer, hub: Hub, storage: Storage): Promise<Storage> {
  if (!storage.readOnly) return storage;
  const today = rentDay(hub.clock.now());
  if (!(await payDay(tx, hub, storage, today))) {
    return refuse('memory-read-only', {
      error: `Rent of ${rentPerDay(storedBytes(storage))} atomic units for a day could not be paid; your storage is read-only and everything in it is kept.`,
    });
  }
  const { settledDay, paidDay = today } = storage;
  return {
    ...storage,
    readOnly: false,
    settledDay: Math.max(settledDay, today),
    paidDay: Math.max(paidDay, today),
  };
}
