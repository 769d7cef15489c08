import { strict as assert } from 'node:assert';
import { UNPAID_LOANS } from '../../db/credit/loans.ts';
import { need, type Need } from '../../db/declared/table.ts';
import type { Decider } from '../../db/declared/unit.ts';
import type { Writer } from '../../db/store.ts';
import { announcedBy } from '../../db/tasks/attempts.ts';
import { TASKS } from '../../db/tasks/declared.ts';
import { LINKED, OF_REQUESTER } from '../../db/tasks/linkedDeclared.ts';
import { lockWorker } from '../../db/tasks/links.ts';
import { CLAIMANTS, HISTORIES } from '../../db/tasks/workersDeclared.ts';
import { defined } from '../../domain/defined.ts';
import { isRefused, type Refused } from '../../domain/task/change.ts';
import { claim, type Claimed } from '../../domain/task/claim.ts';
import type { Account } from '../../domain/account.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TaskAggregate } from '../../domain/task/model.ts';
import type { LoanDue } from '../../domain/settlement.ts';
import { liveClaimCap, NO_HISTORY, type Worker } from '../../domain/task/worker.ts';
import type { Hub } from '../../server/hub/hub.ts';
import { owed } from '../../domain/credit.ts';
import { debtsOn, owedOn } from '../credit/collect.ts';
import { claimToken } from './claimToken.ts';
import { commitChange } from './commit.ts';
import type { Loaded } from './aggregate.ts';
import { commitPlain, NotPlain, plainTask } from './plain.ts';
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

/** A claim as a declared unit. */
export interface Taking {
  readonly needs: readonly Need[];
  /** The task as it was found, and what became of it. */
  decide(db: Decider): { readonly outcome: Taken | Refused; readonly found: TaskAggregate };
}

export interface Queued {
  /** How it is read. */
  readonly tasks: typeof TASKS;
  /** Named where the task may be published in the same batch, so that the database does not say. */
  readonly requester?: Account;
}

/** Whether the worker or its payee is one party with whoever published the task. */
function partiesOf(
  { account, payee }: Actor,
  taskId: string,
  requester: Account | undefined,
): { readonly needs: readonly Need[]; readonly areOfRequester: (db: Decider) => boolean } {
  const accounts = [...new Set([account, payee])];
  if (requester === undefined) {
    const parties = accounts.map((each) => ({ account: each, taskId }));
    return {
      needs: parties.map((party) => need(OF_REQUESTER, party)),
      areOfRequester: (db) => parties.some((party) => db.find(OF_REQUESTER, party) !== undefined),
    };
  }
  const others = accounts.filter((each) => each !== requester);
  const pairs = others.map((one) => ({ one, other: requester }));
  return {
    needs: pairs.map((pair) => need(LINKED, pair)),
    areOfRequester: (db) =>
      others.length < accounts.length || pairs.some((pair) => db.find(LINKED, pair) !== undefined),
  };
}

/**
 * `takeTask` for a declared unit, of a task that is plain.
 * @param queued What is known of a task that was offered by the queue.
 */
export function taking(
  hub: Hub,
  id: string,
  who: Actor,
  skills: readonly string[] | undefined,
  queued?: Queued,
): Taking {
  const { account } = who;
  const attemptId = hub.ids.uuid();
  const onTask = { account, taskId: id };
  const parties = partiesOf(who, id, queued?.requester);
  return {
    needs: [
      ...[need(queued?.tasks ?? TASKS, id), need(CLAIMANTS, account), need(HISTORIES, onTask)],
      ...parties.needs,
      // Most tasks are on the hub's own network.
      need(UNPAID_LOANS, { borrower: account, network: hub.settings.network }),
    ],
    decide(db) {
      const at = hub.clock.now();
      const loaded = plainTask(db, id, at);
      const { aggregate: found } = loaded;
      const claimant = db.find(CLAIMANTS, account);
      assert(claimant !== undefined, 'every account may claim');
      const history = db.find(HISTORIES, onTask);
      if (history?.hasAnnounced === true) throw new NotPlain();
      const worker: Worker = {
        ...{ ...who, ...claimant, history: history ?? NO_HISTORY },
        linkedToRequester: parties.areOfRequester(db),
        // Starter tasks and steps of chains are not plain.
        ...{ starter: 'never', didAnotherStep: false },
      };
      const request = { worker, ...defined({ skills }), attemptId };
      const claimed = claim(found, { ...request, token: (of) => claimToken(hub, of) }, at);
      if (isRefused(claimed)) return { outcome: claimed, found };
      const isNew = !claimed.renewed;
      if (isNew) {
        const { liveClaims } = claimant;
        const used = worker.history.used + 1;
        db.put(CLAIMANTS, account, { ...claimant, liveClaims: liveClaims + 1 });
        db.put(HISTORIES, onTask, { ...worker.history, used, hasAnnounced: false });
      }
      const { aggregate } = commitPlain(db, hub, {
        ...{ actor: account, at, before: loaded, change: claimed },
        ...(isNew && { claimsMax: liveClaimCap(claimant.karma) }),
      });
      const debts = owed(debtsOn(db, aggregate.task, account));
      return { outcome: { aggregate, claimed, worker, at, owed: debts }, found };
    },
  };
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
