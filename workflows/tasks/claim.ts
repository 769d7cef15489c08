import type { Writer } from '../../db/store.ts';
import { announcedBy } from '../../db/tasks/attempts.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import { defined } from '../../domain/defined.ts';
import { isRefused, type Refused } from '../../domain/task/change.ts';
import { claim, type Claimed } from '../../domain/task/claim.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/task/model.ts';
import type { LoanDue } from '../../domain/settlement.ts';
import type { Worker } from '../../domain/task/worker.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { owedOn } from '../credit/collect.ts';
import { claimToken } from './claimToken.ts';
import { commitChange } from './commit.ts';
import type { Loaded } from './aggregate.ts';
import { workerOn, type Actor } from './worker.ts';

/** A task in the hands of a worker, as it was committed. */
export interface Taken {
  readonly aggregate: TaskAggregate;
  readonly claimed: Claimed;
  readonly worker: Worker;
  readonly at: Instant;
  /** Loans of the worker that the settlement collects first. */
  readonly owed: LoanDue;
}

/**
 * T2 and T3: claims a locked task for a worker, or renews the lease that it holds. A refusal is a
 * value, so that the queue can offer the next task.
 */
export async function takeTask(
  tx: Writer,
  hub: Hub,
  loaded: Loaded,
  who: Actor,
  skills: readonly string[] | undefined,
): Promise<Taken | Refused> {
  const at = hub.clock.now();
  const { task } = loaded.aggregate;
  await lockWorker(tx, who.account);
  const worker = await workerOn(tx, who, task);
  const announced = await announcedBy(tx, who.account, task.id);
  const claimed = claim(
    loaded.aggregate,
    {
      worker,
      ...defined({ skills }),
      attemptId: hub.ids.uuid(),
      token: (of) => claimToken(hub, of),
      ...defined({ announced }),
    },
    at,
  );
  if (isRefused(claimed)) return claimed;
  const { aggregate } = await commitChange(tx, hub, loaded, claimed, {
    actor: who.account,
    at,
  });
  const owed = await owedOn(tx, aggregate.task, who.account);
  return { aggregate, claimed, worker, at, owed };
}
