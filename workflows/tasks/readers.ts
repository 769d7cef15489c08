import type { Comment } from '../../db/tasks/comments.ts';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { partIn, PARTS_IN_TASK, type PartIn } from '../../db/tasks/parties.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import type { Attempt, Task } from '../../domain/tasks/model.ts';
import { isPartyOf, isPrivate } from '../../domain/tasks/privacy.ts';
import type { Signer, Visitor } from '../kernel/call.ts';

/** Stands for a text of a private task where one has to stand. */
export const PRIVATE_TEXT = 'For the parties of this task alone.';

/** The parts of a task that an account may read (choices tasks.privacy). */
export interface Reading {
  readonly by: Account | undefined;
  /** Judges every result as its arbiter, or the results of these attempts. */
  readonly judges: 'all' | readonly string[];
  /** The brief, and what the requester says to all who claimed. */
  readonly seesBrief: boolean;
  /** Every message and every reason. */
  readonly seesAll: boolean;
}

const STRANGER = { by: undefined, judges: [], seesBrief: false, seesAll: false };

/** Every account reads all but undecided results of a public task. */
function ofPublic(by: Account | undefined): Reading {
  return { by, judges: [], seesBrief: true, seesAll: true };
}

/** The account that reads; undefined for a caller that proved none. */
export function readerOf(caller: Signer | Visitor): Account | undefined {
  return caller.kind === 'signer' ? caller.account : undefined;
}

/** Asks the database for the part that the reader has where the task is private. */
export async function readingOf(db: Reader, task: Task, by: Account | undefined): Promise<Reading> {
  if (!isPrivate(task)) return ofPublic(by);
  return partOf(db, task, by);
}

/** The rows that `readingIn` looks up. */
export function readsOfReading(taskId: string, by: Account | undefined): readonly Need[] {
  return by === undefined ? [] : [need(PARTS_IN_TASK, { taskId, account: by })];
}

/** The same in a view of the task. */
export function readingIn(db: Decider, task: Task, by: Account | undefined): Reading {
  if (!isPrivate(task)) return ofPublic(by);
  const part = by && db.find(PARTS_IN_TASK, { taskId: task.id, account: by });
  return by === undefined || part === undefined ? STRANGER : readingFor(task, by, part);
}

/** The same of a public task as well, whose undecided results are for its parties. */
export async function partOf(db: Reader, task: Task, by: Account | undefined): Promise<Reading> {
  if (by === undefined) return STRANGER;
  return readingFor(task, by, await partIn(db, task.id, by));
}

function readingFor(task: Task, by: Account, part: PartIn): Reading {
  const seesAll = part.isArbiter || part.judged.length > 0 || by === task.requester;
  const judges = part.isArbiter ? 'all' : part.judged;
  return { by, judges, seesBrief: seesAll || part.isClaimant, seesAll };
}

type Involved = Pick<Reading, 'by' | 'judges'>;

/** A party of a result, or a judge that was drawn for it. */
export function isInvolved(task: Task, attempt: Attempt, { by, judges }: Involved): boolean {
  return judges === 'all' || judges.includes(attempt.id) || isPartyOf(task, attempt, by);
}

/**
 * An undecided result is its parties' own: an outsider could offer it elsewhere, or here under
 * another name (threats.read-results). A refused one was never offered and stays its worker's. So do
 * size and digest, by which a short result is guessed. Of a private task that never changes.
 */
export function mayReadResult(task: Task, attempt: Attempt, reading: Involved): boolean {
  if (attempt.state === 'refused') return reading.by === attempt.worker;
  if (isInvolved(task, attempt, reading)) return true;
  return attempt.state !== 'waiting' && !isPrivate(task);
}

/** A message of a private task is for its requester and judges, and the account it is between. */
export function mayReadComment(
  { party }: Pick<Comment, 'party'>,
  { by, seesAll, seesBrief }: Reading,
): boolean {
  return seesAll || (party === undefined ? seesBrief : party === by);
}
