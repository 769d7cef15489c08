import { strict as assert } from 'node:assert';
import { need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import { IDEMPOTENCY } from '../../db/idempotency.ts';
import { CLAIMABLE, TASKS } from '../../db/tasks/declared.ts';
import { CLAIMANTS, HISTORIES } from '../../db/tasks/workersDeclared.ts';
import type { Account } from '../../domain/account.ts';
import { isRefused } from '../../domain/task/change.ts';
import { claimLimit } from '../../domain/task/worker.ts';
import type { Call } from '../../server/hub/call.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { takeTask, taking, type Taken } from './claim.ts';
import { claimKey, keep, keepDeclared, mustBeUnused } from './claimOnce.ts';
import { lockSettled } from './due.ts';
import { plainOr } from './plain.ts';
import { orRefuse } from './refuse.ts';
import { mustReachPayee, reachingPayee, type Actor } from './worker.ts';

/** How a poll that did not get a task missed it. */
export type Missed = 'taken' | 'refused';

/** A task that a poll tries for. */
export interface Wanted {
  readonly id: string;
  readonly requester?: Account;
}

/** The units of work of one poll of the claim queue; the first one takes the nonce of its request. */
export interface QueueClaims {
  /** For a poll that finds nothing yet: refuses what it would be refused for later. */
  arrive(): Promise<void>;
  /**
   * Takes a task in one batch with all who claim at once, and with its publication where that is
   * under way. Whoever looked for it itself names no requester; it takes also one that it gave back
   * before, and waits where another process has to let go of it first.
   */
  claim(task: Wanted): Promise<Taken | Missed>;
  /** Before it is answered that there is nothing: a twin of the call may have been given something. */
  end(): Promise<void>;
}

/** Ends a unit that could not take its task, so that nothing of it is kept but the nonce. */
class NotTaken extends Error {
  readonly missed: Missed;

  constructor(missed: Missed) {
    super(missed);
    this.missed = missed;
  }
}

export function queueClaims(
  hub: Hub,
  call: Call<'tasks.claimNext'>,
  who: Actor,
  skills: readonly string[] | undefined,
): QueueClaims {
  const { account } = who;
  const key = claimKey(call);
  const payee = reachingPayee(hub, who);
  const kept = key === undefined ? [] : [need(IDEMPOTENCY, key)];
  const mayHoldMore = (db: Decider): void => {
    const claimant = db.find(CLAIMANTS, account);
    assert(claimant !== undefined, 'every account may claim');
    const tooMany = claimLimit(claimant);
    if (tooMany !== undefined) orRefuse(tooMany);
  };
  const plain = ({ id, requester }: Wanted): Promise<Taken> => {
    const isOffered = requester !== undefined;
    const queued = isOffered ? { tasks: CLAIMABLE, requester } : { tasks: TASKS };
    const { needs, decide } = taking(hub, id, who, skills, queued);
    const take = (db: Decider): Taken => {
      mayHoldMore(db);
      if (db.find(TASKS, id)?.aggregate.task.state !== 'open') throw new NotTaken('taken');
      const wasGivenBack = (db.find(HISTORIES, { account, taskId: id })?.fails ?? 0) > 0;
      if (wasGivenBack && isOffered) throw new NotTaken('refused');
      const { outcome } = decide(db);
      if (isRefused(outcome)) throw new NotTaken('refused');
      payee.mustReach(db);
      return outcome;
    };
    return hub.actDeclared(call, {
      needs: [...kept, ...payee.needs, ...needs],
      decide: (db) => keepDeclared(db, hub, key, () => take(db)),
    });
  };
  const wide = (id: string): Promise<Taken> =>
    hub.act(call, (tx) =>
      keep(tx, hub, key, async () => {
        const loaded = await lockSettled(tx, hub, id);
        const outcome = await takeTask(tx, hub, loaded, who, skills);
        if (isRefused(outcome)) throw new NotTaken('refused');
        await mustReachPayee(hub, tx, who);
        return outcome;
      }),
    );
  return {
    async arrive() {
      const nothing = hub.actDeclared<Taken>(call, {
        needs: [...kept, need(CLAIMANTS, account)],
        decide: (db) =>
          keepDeclared(db, hub, key, () => {
            mayHoldMore(db);
            throw new NotTaken('taken');
          }),
      });
      await missed(nothing);
    },
    claim: (task) =>
      missed(
        plainOr(
          () => plain(task),
          () => wide(task.id),
        ),
      ),
    async end() {
      if (key !== undefined) await mustBeUnused(hub, key);
    },
  };
}

function missed(taking: Promise<Taken>): Promise<Taken | Missed> {
  return taking.catch((error: unknown) => {
    if (error instanceof NotTaken) return error.missed;
    throw error;
  });
}
