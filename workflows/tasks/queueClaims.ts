import { strict as assert } from 'node:assert';
import { need } from '../../db/batch/need.ts';
import type { Decider } from '../../db/batch/transaction.ts';
import { TASKS } from '../../db/tasks/taskRow.ts';
import { CLAIMANTS, HISTORIES_ON_CLAIMABLE } from '../../db/tasks/workerLookups.ts';
import type { Account } from '../../domain/account.ts';
import { defined } from '../../domain/defined.ts';
import { isRefused } from '../../domain/tasks/change.ts';
import { claimLimit } from '../../domain/tasks/worker.ts';
import type { Call } from '../kernel/call.ts';
import { onceKey } from '../kernel/onceKey.ts';
import type { Hub } from '../kernel/hub.ts';
import { readsOfClaim, takeTask, type Taken } from './claim.ts';
import { keepTaken, mustBeUnused, readsOfKey } from './claimOnce.ts';
import { orRefuse } from './refuse.ts';
import { reachingPayee, type Actor, type WorkedOn } from './worker.ts';

/** How a poll that did not get a task missed it. */
type Missed = 'taken' | 'refused';

/** The units of work of one poll of the claim queue; the first one takes the nonce of its request. */
export interface QueueClaims {
  /** For a poll that finds nothing yet: refuses what it would be refused for later. */
  arrive(): Promise<void>;
  /**
   * Takes a task in one batch with all who claim at once, and with its publication where that is
   * under way. A poll that searched by itself names no requester; it takes also one that it gave
   * back before, and waits where another process has to let go of it first.
   */
  claim(task: { readonly id: string; readonly requester?: Account }): Promise<Taken | Missed>;
  /**
   * Before it is answered that there is nothing: a twin of the call may have been given something,
   * and the caller of a poll that waited may have lost its right to be answered.
   */
  end(hasWaited: boolean): Promise<void>;
}

export function queueClaims(
  hub: Hub,
  call: Call<'tasks.claimNext'>,
  who: Actor,
  skills: readonly string[] | undefined,
): QueueClaims {
  const { account } = who;
  const key = onceKey(call, hub.clock.now());
  const payee = reachingPayee(hub, who);
  const mayHoldMore = (db: Decider) => {
    const claimant = db.find(CLAIMANTS, account);
    assert(claimant !== undefined, 'each account may claim');
    const tooMany = claimLimit(claimant);
    if (tooMany !== undefined) orRefuse(tooMany);
    return claimant;
  };
  const take = (db: Decider, on: WorkedOn): Taken | Missed => {
    const { won } = mayHoldMore(db);
    const { taskId, offeredBy } = on;
    if (db.find(TASKS, taskId)?.aggregate.task.state !== 'open') return 'taken';
    const history = { account, taskId };
    const isOffered = offeredBy !== undefined;
    // A task that the worker's own pitch won goes first, and only the poll's search finds it.
    if (isOffered && won > 0) return 'refused';
    if (isOffered && (db.find(HISTORIES_ON_CLAIMABLE, history)?.fails ?? 0) > 0) return 'refused';
    const { outcome } = takeTask(db, hub, who, on, skills);
    if (isRefused(outcome)) return 'refused';
    payee.mustReach(db);
    return outcome;
  };
  return {
    async arrive() {
      await hub.transact<Taken | Missed>(call, {
        needs: [...readsOfKey(key), need(CLAIMANTS, account)],
        decide: (db) =>
          keepTaken(db, hub, key, () => {
            mayHoldMore(db);
            return 'taken';
          }),
      });
    },
    claim({ id: taskId, requester: offeredBy }) {
      const on: WorkedOn = { taskId, ...defined({ offeredBy }) };
      return hub.transact(call, {
        needs: [...readsOfKey(key), ...payee.needs, ...readsOfClaim(hub, who, on)],
        decide: (db) => keepTaken(db, hub, key, () => take(db, on)),
      });
    },
    async end(hasWaited) {
      if (key !== undefined) await mustBeUnused(hub, key);
      if (hasWaited) await hub.transact(call, { needs: [], decide: (db) => db.leave(undefined) });
    },
  };
}
