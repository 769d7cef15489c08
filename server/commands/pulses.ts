import { databaseTime } from '../../db/operator/databaseClock.ts';
import type { Store } from '../../db/store.ts';
import { datedAfter, type Ahead } from '../../db/time/withdrawn.ts';
import { instant, iso, type Instant } from '../../domain/instant.ts';
import { withdrawPulses } from '../../workflows/index.ts';
import { readSettings } from '../boot/config.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, type Command, type Print } from './command.ts';

/** A clock that differs more from the database's may be the one that is wrong (choices time.checked). */
const DIFFERENCE_MS_MAX = 30_000;
const NUMBER = /^\d{1,12}$/;

/** `hubctl pulses [withdraw SEQ]`: shows, and withdraws, pulses that a wrong clock dated ahead. */
export const pulses: Command = async ([verb, seq, ...more], env, print) => {
  const isPlan = verb === undefined;
  const isWithdrawal = verb === 'withdraw' && seq !== undefined && NUMBER.test(seq);
  if (more.length > 0 || (!isPlan && !isWithdrawal)) return undefined;
  return inDatabase(readSettings(env), print, async (store) => {
    const now = systemClock.now();
    if (!(await isConfirmed(store, now, print))) return 1;
    if (isPlan) {
      const ahead = await store.readOne((db) => datedAfter(db, now));
      print(ahead === undefined ? 'No pulse is dated after that.\n' : planned(ahead));
      return 0;
    }
    const ahead = await store.write((tx) => withdrawPulses(tx, Number(seq), now));
    if (ahead === undefined) {
      print(`Pulse ${seq} is not the first that is dated after that; nothing was withdrawn.\n`);
      return 1;
    }
    print(`${counted(ahead)} withdrawn. The next pulse has the number ${ahead.first} again.\n`);
    return 0;
  });
};

/** Says by which clock it judges; false, and said, where the database contradicts it. */
async function isConfirmed(store: Store, now: Instant, print: Print): Promise<boolean> {
  const theirs = await store.readOne(databaseTime);
  const confirmed =
    theirs === undefined
      ? 'compare it with another machine first, since SQLite has no clock of its own'
      : `that of the database reads ${iso(instant(theirs))}`;
  print(`The clock of this machine reads ${iso(now)}; ${confirmed}.\n`);
  if (theirs === undefined || Math.abs(theirs - now) <= DIFFERENCE_MS_MAX) return true;
  print('They differ by more than 30 s, so nothing is judged by either; synchronise them first.\n');
  return false;
}

function planned(ahead: Ahead): string {
  const { first, last, issuedFrom, issuedTo } = ahead;
  return `${counted(ahead)} dated after that: pulses ${first} to ${last}, from ${iso(issuedFrom)} to ${iso(issuedTo)}.
Withdrawn ones stay readable, marked as withdrawn, and prove nothing any more. Stop every hub whose
clock is wrong, back up, and then: hubctl pulses withdraw ${first}
`;
}

function counted({ pulses, blocks }: Ahead): string {
  return `${pulses} pulses and ${blocks} blocks of the journal are`;
}
