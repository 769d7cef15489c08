import { UNPAID_LOANS } from '../../db/credit/loans.ts';
import { need, needShown, type Need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { CLAIMABLE, TASKS, type KnownTask } from '../../db/tasks/taskRow.ts';
import { ATTEMPTS } from '../../db/tasks/taskTables.ts';
import {
  REQUESTER_RECORD,
  requesterRecord,
  type RequesterRecord,
} from '../../db/tasks/requesterRecord.ts';
import { CLAIMANTS, STARTER_USE } from '../../db/tasks/workerLookups.ts';
import { owed } from '../../domain/credit.ts';
import { defined } from '../../domain/defined.ts';
import type { Instant } from '../../domain/instant.ts';
import type { LoanDue } from '../../domain/settlement.ts';
import { isRefused, type Refused } from '../../domain/tasks/change.ts';
import { claim, type Claimed } from '../../domain/tasks/claim.ts';
import { isStarter, type TaskAggregate } from '../../domain/tasks/model.ts';
import { liveClaimCap, type Worker } from '../../domain/tasks/worker.ts';
import type { Hub } from '../kernel/hub.ts';
import { debtsOn } from '../credit/collect.ts';
import { claimToken } from './claimToken.ts';
import { commitChange } from './commit.ts';
import { knownTask, settleAll } from './due.ts';
import { readsOfWorker, workerIn, type Actor, type WorkedOn } from './worker.ts';

/** A task in the hands of a worker, as it was committed. */
export interface Taken {
  readonly aggregate: TaskAggregate;
  readonly claimed: Claimed;
  readonly worker: Worker;
  readonly at: Instant;
  /** Loans of the worker that the settlement collects first. */
  readonly owed: LoanDue;
  /** How the requester treated those who worked for it before. */
  readonly record: RequesterRecord | undefined;
}

/** Returns the reads of `takeTask` in the common case. */
export function readsOfClaim(hub: Hub, who: Actor, on: WorkedOn): readonly Need[] {
  return [
    need(on.offeredBy === undefined ? TASKS : CLAIMABLE, on.taskId),
    ...readsOfWorker(who, on),
    // Most tasks are on the hub's own network.
    need(UNPAID_LOANS, { borrower: who.account, network: hub.settings.network }),
    needShown(REQUESTER_RECORD, on.taskId),
  ];
}

/** T2 and T3: claims a task or renews its lease. Returns a refusal, so the queue tries the next. */
export function takeTask(
  db: Decider,
  hub: Hub,
  who: Actor,
  on: WorkedOn,
  skills: readonly string[] | undefined,
): { readonly outcome: Taken | Refused; readonly found: TaskAggregate } {
  const at = hub.clock.now();
  const before = knownTask(db, on.taskId);
  const known = settleAll(db, hub, before, at);
  const { aggregate: found } = known;
  const { account } = who;
  const { worker: counted, announced } = workerIn(db, who, found.task, on);
  const worker = withoutLapsed(db, counted, before, known);
  const attemptId = db.newId(hub.ids);
  const request = { worker, attemptId, ...defined({ skills, announced }) };
  const claimed = claim(found, { ...request, token: (of) => claimToken(hub, of) }, at);
  if (isRefused(claimed)) return { outcome: claimed, found };
  const isNew = !claimed.renewed;
  if (isNew) {
    const { karma, liveClaims } = worker;
    const won = db.find(CLAIMANTS, account)?.won ?? 0;
    db.put(CLAIMANTS, account, { account, karma, liveClaims: liveClaims + 1, won });
    if (isStarter(found.task))
      db.put(STARTER_USE, account, { account, wasPaid: false, holds: on.taskId });
  }
  const committed = commitChange(db, hub, known, claimed, {
    actor: account,
    at,
    ...(isNew && { claimsMax: liveClaimCap(worker.karma) }),
  });
  const { aggregate } = settleAll(db, hub, committed, at);
  const debts = owed(debtsOn(db, aggregate.task, account));
  const record = requesterRecord(db, on.taskId);
  return { outcome: { aggregate, claimed, worker, at, owed: debts, record }, found };
}

/** The worker without the leases that the clock has ended in this very transaction. */
function withoutLapsed(
  db: Decider,
  worker: Worker,
  { aggregate: before }: KnownTask,
  { aggregate: now }: KnownTask,
): Worker {
  const ended = before.live
    .filter((one) => one.worker === worker.account && one.state === 'claimed')
    .filter(({ id }) => !now.live.some((one) => one.id === id));
  if (ended.length === 0) return worker;
  const lapses = ended.map(({ id }) => db.find(ATTEMPTS, id)?.attempt.endedAt);
  return {
    ...worker,
    liveClaims: worker.liveClaims - ended.length,
    history: { ...worker.history, ...defined({ lastLapseAt: lapses[0] }) },
  };
}
