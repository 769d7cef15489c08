import { strict as assert } from 'node:assert';
import { need, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { ATTEMPT_OF_TOKEN } from '../../db/tasks/taskTables.ts';
import { readClaim, type StoredTask } from '../../db/tasks/tasks.ts';
import { BEFORE_WELCOME } from '../../db/tasks/welcomeGrants.ts';
import { HISTORIES } from '../../db/tasks/workerLookups.ts';
import type { Verdict } from '../../domain/acceptance/rule.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { sha256Hex } from '../../domain/digest.ts';
import type { Instant } from '../../domain/instant.ts';
import { isRefused } from '../../domain/tasks/change.ts';
import { deliver, usable } from '../../domain/tasks/deliver.ts';
import type { Attempt } from '../../domain/tasks/model.ts';
import { attemptsLeft, NO_HISTORY } from '../../domain/tasks/worker.ts';
import type { Asker } from '../kernel/checks/checks.ts';
import type { Hub } from '../kernel/hub.ts';
import { judgeResult } from './acceptance.ts';
import type { Committed } from './aggregate.ts';
import { commitChange } from './commit.ts';
import { settleAll, settledTask } from './due.ts';
import { readsOfChange } from './effects.ts';
import { filesIn, filesNamed, type FileReference, type FoundFile } from './files.ts';
import { orRefuse } from './refuse.ts';

/** A result that a holder brings (T4 to T6). */
export interface Delivery {
  readonly taskId: string;
  readonly by: Account;
  readonly claimToken: string;
  readonly result: unknown;
  readonly files?: readonly FileReference[];
  readonly from: Asker;
}

export interface Delivered {
  readonly settled: Committed;
  readonly attempt: Attempt;
  readonly verdict: Verdict;
  readonly attemptsLeft: number;
}

/** Results of the check before the transaction: the claim of this token, and the verdict of the rule. */
export interface Judged {
  readonly stored: StoredTask;
  readonly attempt: Attempt;
  readonly found?: readonly FoundFile[];
  readonly verdict: Verdict;
}

/** Undefined for a caller whom the unit will refuse. */
export async function judgeDelivery(
  hub: Hub,
  { taskId, by, claimToken, result, files, from }: Delivery,
): Promise<Judged | undefined> {
  const claim = await hub.store.readOne((db) => readClaim(db, taskId, claimToken));
  if (claim === undefined) return undefined;
  const { task } = claim.stored;
  if (isRefused(usable({ task, live: [] }, claim.attempt, by, hub.clock.now()))) return undefined;
  const found = await filesNamed(hub, by, files);
  const verdict = await judgeResult(hub, task, { result, found, from });
  return { ...claim, verdict, ...defined({ found }) };
}

export function readsOfDelivery(
  hub: Hub,
  { taskId, by, result }: Delivery,
  judged: Judged | undefined,
  at: Instant,
): readonly Need[] {
  const task = [need(TASKS, taskId), need(HISTORIES, { account: by, taskId })];
  if (judged === undefined) return task;
  const { stored, attempt, verdict } = judged;
  const { holdId } = stored;
  const expected = deliver(
    { task: stored.task, live: [attempt] },
    attempt,
    { result, verdict, ...filesIn(judged.found) },
    at,
  );
  const change = readsOfChange(hub, { actor: by, at, change: expected, ...defined({ holdId }) });
  return [...task, need(BEFORE_WELCOME, by), ...change];
}

export function deliverResult(
  db: Decider,
  hub: Hub,
  { taskId, by, claimToken, result }: Delivery,
  judged: Judged | undefined,
): Delivered {
  const now = hub.clock.now();
  const known = settledTask(db, hub, taskId);
  const { aggregate } = known;
  const held =
    aggregate.live.find(({ id }) => id === judged?.attempt.id) ??
    attemptOfToken(db, taskId, claimToken);
  const attempt = orRefuse(usable(aggregate, held, by, now), { hub, aggregate, by });
  assert(judged !== undefined, 'a token that works now worked a moment ago');
  const { verdict, found } = judged;
  const change = deliver(aggregate, attempt, { result, verdict, ...filesIn(found) }, now);
  const committed = commitChange(db, hub, known, change, { actor: by, at: now });
  const settled = settleAll(db, hub, committed, now);
  const history = db.find(HISTORIES, { account: by, taskId }) ?? NO_HISTORY;
  const delivered = change.attempts.find(({ id }) => id === attempt.id);
  assert(delivered !== undefined, 'a delivery changes its attempt');
  const left = attemptsLeft(settled.aggregate.task, history);
  return { settled, attempt: delivered, verdict, attemptsLeft: left };
}

/** The claim that this token was given for, dead or alive. */
export function attemptOfToken(db: Decider, taskId: string, token: string): Attempt | undefined {
  const [found] = db.list(ATTEMPT_OF_TOKEN, { taskId, tokenHash: sha256Hex(token) });
  return found?.attempt;
}
